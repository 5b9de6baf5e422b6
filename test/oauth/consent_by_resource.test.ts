import assert from "node:assert/strict";
import { before, test } from "node:test";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import type { ApiResource, OAuthApp } from "../../src/records/definition.ts";
import { serverOn } from "../support/authorization_server.ts";
import { anOpenClient, aResource } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { ask, authorizeParameters, origin, redirected } from "../support/flows.ts";
import { aParty, claimsOf, type Party } from "./party.ts";

const site = { redirect_uris: ["https://client.example/cb"] };

describeInForm("consents by API", (database) => {
  const stage = serverOn(database);
  let lure: ApiResource;
  let bank: ApiResource;
  let bare: ApiResource;
  before(async () => {
    const open = (scopes: ApiResource["scopes"]) =>
      aResource(stage.store, {
        who_may_ask: "any",
        scopes,
        default_scopes: Object.keys(scopes).slice(0, 1),
      });
    lure = await open({ "transfers:write": "Say hello", "greetings:read": null });
    bank = await open({ "transfers:write": "Move money" });
    bare = await open({});
  });

  async function asked(party: Party, resource: string | undefined, scope: string | undefined) {
    return ask(stage, party.who, authorizeParameters(party.app, { resource, scope }));
  }

  async function shown(party: Party, resource: string | undefined, scope: string | undefined) {
    const outcome = await asked(party, resource, scope);
    if (outcome.type !== "consent") throw new Error(`a ${outcome.type} was answered`);
    return outcome;
  }

  const parties: readonly [string, Partial<OAuthApp>][] = [
    ["an open client", { ...anOpenClient, ...site }],
    ["a registered app", { ...site, allowed_scopes: ["openid", "transfers:write"], public: false }],
  ];

  for (const [name, given] of parties)
    test(`PR-93: what a person allowed ${name} for one API counts for no other that has the same scope`, async () => {
      const party = await aParty(stage, given);
      await party.flow({ resource: lure.identifier, scope: "transfers:write" });
      assert.equal((await asked(party, lure.identifier, "transfers:write")).type, "redirect");
      const question = await shown(party, bank.identifier, "transfers:write");
      assert.deepEqual(question.scopes, [{ name: "transfers:write", already_granted: false }]);
      assert.deepEqual(
        question.resources.map(({ identifier }) => identifier),
        [bank.identifier],
      );
      const silent = await ask(stage, party.who, {
        ...authorizeParameters(party.app, { resource: bank.identifier, scope: "transfers:write" }),
        prompt: "none",
      });
      assert.equal(redirected(silent).get("error"), "consent_required");
      const tokens = await party.flow({ resource: bank.identifier, scope: "transfers:write" });
      assert.equal(claimsOf(tokens.access_token).aud, bank.identifier);
      for (const { identifier } of [lure, bank]) {
        assert.equal((await asked(party, identifier, "transfers:write")).type, "redirect");
      }
    });

  test("PR-93: openid alone, for nothing or for another API, opens no API without scopes", async () => {
    const party = await aParty(stage, { ...anOpenClient, ...site });
    await party.flow({ scope: "openid" });
    assert.equal((await asked(party, undefined, "openid")).type, "redirect");
    await shown(party, bare.identifier, "openid");
    await party.flow({ resource: lure.identifier, scope: "openid greetings:read" });
    await shown(party, bare.identifier, "openid");
    await party.flow({ resource: bare.identifier, scope: "openid" });
    assert.equal((await asked(party, bare.identifier, "openid")).type, "redirect");
  });

  test("PR-93: a step up keeps nothing that was allowed for another API", async () => {
    const party = await aParty(stage, { ...anOpenClient, ...site });
    await party.flow({ resource: lure.identifier, scope: "transfers:write" });
    const { scopes } = await shown(party, bank.identifier, "openid");
    assert.deepEqual(
      scopes.map(({ name }) => name),
      ["openid"],
    );
  });

  test("PR-93: a consent that was narrowed, and one from before, count as they stand", async () => {
    const party = await aParty(stage, { ...anOpenClient, ...site });
    const scope = "transfers:write greetings:read";
    await party.flow({ resource: lure.identifier, scope });
    await stage.store.update("oauth_consents", { app_id: party.app.id }, { scopes: ["greetings:read"] });
    assert.deepEqual(
      (await shown(party, lure.identifier, scope)).scopes.map(({ already_granted }) => already_granted),
      [false, true],
    );
    const earlier = { scopes: ["transfers:write"], scopes_by_resource: null };
    await stage.store.update("oauth_consents", { app_id: party.app.id }, earlier);
    assert.equal((await asked(party, bank.identifier, "transfers:write")).type, "redirect");
  });

  test("A-21: what a request means after the page was shown is shown before it is allowed", async () => {
    const party = await aParty(stage, { ...anOpenClient, ...site });
    const { form } = await shown(party, lure.identifier, undefined);
    const wider = { default_scopes: ["transfers:write", "greetings:read"] };
    await stage.store.update("resources", { id: lure.id }, wider);
    const answer = (given: string, decision: "allow" | "deny" = "allow") =>
      answerConsent({ form: given, decision, signedIn: party.who, origin }, stage.server);
    const again = await answer(form);
    if (again.type !== "consent") throw new Error(`a ${again.type} was answered`);
    assert.deepEqual(
      again.scopes.map(({ name }) => name),
      wider.default_scopes,
    );
    assert.equal(await stage.store.find("oauth_consents", { app_id: party.app.id }), undefined);
    assert.ok(redirected(await answer(again.form)).get("code"));
  });
});
