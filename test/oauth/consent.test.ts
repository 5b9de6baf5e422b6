import assert from "node:assert/strict";
import { before, beforeEach, describe, test } from "node:test";
import type { ConsentOutcome } from "../../src/oauth/authorize/authorize.ts";
import { answerConsent } from "../../src/oauth/authorize/consent.ts";
import { consentForm } from "../../src/oauth/authorize/consent_form.ts";
import type { ApiResource, OAuthApp } from "../../src/records/definition/definition.ts";
import type { SignedIn } from "../../src/records/definition/request_origin.ts";
import { issuer, serverOn } from "../support/authorization_server.ts";
import { anApp, anOpenClient, anOrganization, aResource, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { deactivate, withdrawConsent } from "../support/endings.ts";
import { withoutErrorUri } from "../support/error_uri.ts";
import {
  ask,
  authorizeAndConsent,
  authorizeParameters,
  formOf,
  origin,
  type Parameters,
  redirected,
  signedIn,
} from "../support/flows.ts";
import { aClientFixture, type ClientFixture, claimsOf } from "./client_fixture.ts";

describeInForm("consent", (database) => {
  const as = serverOn(database);
  let who: SignedIn;
  let app: OAuthApp;

  beforeEach(async () => {
    who = await signedIn(as, await aUser(as.store));
    app = await anApp(as.store);
  });

  async function question(
    overrides: Parameters = {},
    by: OAuthApp = app,
    of: SignedIn = who,
  ): Promise<ConsentOutcome> {
    const outcome = await ask(as, of, authorizeParameters(by, overrides));
    if (outcome.type !== "consent") throw new Error(`expected a question, got ${JSON.stringify(outcome)}`);
    return outcome;
  }

  const answer = (form: string, decision: "allow" | "deny" = "allow", by: SignedIn = who) =>
    answerConsent({ form, decision, signedIn: by, origin }, as.server);

  const isRequested = async (overrides: Parameters = {}, by: OAuthApp = app, of: SignedIn = who) =>
    (await ask(as, of, authorizeParameters(by, overrides))).type === "consent";

  const allow = (overrides: Parameters = {}, by: OAuthApp = app) =>
    authorizeAndConsent(as, who, authorizeParameters(by, overrides));

  /** Asserts that neither a consent nor a code was stored. */
  async function nothingHappened(by: OAuthApp = app): Promise<void> {
    assert.equal(await as.store.count("oauth_consents", { app_id: by.id }), 0);
    assert.equal(await as.store.count("oauth_auth_codes", { app_id: by.id }), 0);
  }

  test("A-18: a denied consent sends the client access_denied with state, and stores nothing", async () => {
    const { form } = await question({ state: "kept" });
    const denied = redirected(await answer(form, "deny"));
    assert.deepEqual(withoutErrorUri(denied), {
      error: "access_denied",
      error_description: "the user denied the request",
      state: "kept",
      iss: issuer,
    });
    await nothingHappened();
    assert.equal(await isRequested(), true);
  });

  test("A-18: denying a wider request keeps the earlier consent", async () => {
    await allow({ scope: "openid" });
    const { form } = await question({ scope: "openid profile" });
    assert.equal(redirected(await answer(form, "deny")).get("error"), "access_denied");
    assert.equal(await isRequested({ scope: "openid" }), false);
  });

  test("A-19: a first-party client needs no consent, and a third-party client needs one", async () => {
    const ours = await anApp(as.store, { first_party: true });
    const outcome = await ask(as, who, authorizeParameters(ours));
    assert.equal(redirected(outcome).has("code"), true);
    assert.equal(await as.store.count("oauth_consents", { app_id: ours.id }), 0);
    assert.equal(await isRequested(), true);
    await nothingHappened();
  });

  test("A-19: the page shows client, scopes, redirect target, and which scopes are new", async () => {
    const organization = await anOrganization(as.store, { name: "Acme" });
    const theirs = await anApp(as.store, { organization_id: organization.id });
    const parameters = authorizeParameters(theirs, { scope: "openid profile" });
    const first = await question({ scope: "openid profile" }, theirs);
    const { form, client, ...rest } = first;
    assert.equal(client.app.id, theirs.id);
    assert.deepEqual(rest, {
      type: "consent",
      url: `/oauth/authorize?${formOf(parameters)}`,
      is_reference: false,
      ui_locales: undefined,
      owner_name: "Acme",
      scopes: [
        { name: "openid", already_granted: false },
        { name: "profile", already_granted: false },
      ],
      resources: [],
      organization: undefined,
      redirect_uri: "https://app.example/cb",
      first_time: true,
      unverified: false,
    });
    await answer(form);
    const wider = await question({ scope: "openid orders:read" }, theirs);
    assert.equal(wider.first_time, false);
    assert.deepEqual(wider.scopes, [
      { name: "openid", already_granted: true },
      { name: "orders:read", already_granted: false },
    ]);
  });

  test("A-19: the page names the user who created an app that has no organization", async () => {
    const owner = await aUser(as.store, { name: "Grace" });
    assert.equal((await question({}, await anApp(as.store, { owner_id: owner.id }))).owner_name, "Grace");
  });

  test("A-19: a consent also covers fewer scopes, and is requested again for more", async () => {
    await allow({ scope: "openid profile" });
    assert.equal(await isRequested({ scope: "openid profile" }), false);
    assert.equal(await isRequested({ scope: "profile" }), false);
    assert.equal(await isRequested({ scope: "openid orders:read" }), true);
    assert.equal(await isRequested({ scope: "openid offline_access" }), true);
    await allow({ scope: "orders:read" });
    assert.equal(await isRequested({ scope: "openid profile orders:read" }), false);
  });

  test("A-19: a consent applies to one user and one app", async () => {
    await allow();
    const another = await signedIn(as, await aUser(as.store));
    assert.equal(await isRequested({}, app, another), true);
    assert.equal(await isRequested({}, await anApp(as.store)), true);
    assert.equal(await isRequested(), false);
  });

  test("A-19: a consent that is withdrawn or not granted does not count, and the page asks as for the first time", async () => {
    await allow({ scope: "openid profile" });
    const where = { user_id: who.user.id, app_id: app.id };
    await as.store.update("oauth_consents", where, { granted: false });
    assert.equal(await isRequested(), true);
    await as.store.update("oauth_consents", where, { granted: true });
    assert.equal(await isRequested(), false);
    await withdrawConsent(as.store, who.user.id, app.id, "consent_withdrawn", as.clock.now());
    assert.equal((await question({ scope: "openid" })).first_time, true);
    await allow({ scope: "openid" });
    assert.equal(await isRequested({ scope: "openid" }), false);
    assert.equal(await isRequested({ scope: "openid profile" }), true);
  });

  test("design 6.16: a native or public client with a loopback or private-scheme redirect needs consent each time", async () => {
    const clients: Partial<OAuthApp>[] = [
      { app_type: "native", public: true, redirect_uris: ["http://127.0.0.1/cb"] },
      { app_type: "native", public: false, redirect_uris: ["http://[::1]:8080/cb"] },
      { app_type: "native", public: true, redirect_uris: ["com.example.app:/cb"] },
      { app_type: "spa", public: true, redirect_uris: ["http://localhost:5173/cb"] },
      { app_type: "web", public: true, redirect_uris: ["http://127.0.0.1:9000/cb"] },
    ];
    for (const overrides of clients) {
      const client = await anApp(as.store, overrides);
      assert.equal((await question({}, client)).unverified, true);
      await allow({}, client);
      assert.equal(await isRequested({}, client), true, JSON.stringify(overrides));
      assert.equal(await isRequested({}, await anApp(as.store, { ...overrides, first_party: true })), false);
    }
  });

  test("design 6.16: the consent is remembered for a client with an https redirect, or one that authenticates", async () => {
    const clients: Partial<OAuthApp>[] = [
      { app_type: "native", public: true, redirect_uris: ["https://app.example/cb"] },
      { app_type: "spa", public: true },
      { app_type: "web", redirect_uris: ["http://127.0.0.1:9000/cb"] },
    ];
    for (const overrides of clients) {
      const client = await anApp(as.store, overrides);
      assert.equal((await question({}, client)).unverified, false);
      await allow({}, client);
      assert.equal(await isRequested({}, client), false, JSON.stringify(overrides));
    }
  });

  test("the time of the last use of a consent is stored", async () => {
    await allow();
    as.clock.advance(100);
    await ask(as, who, authorizeParameters(app));
    await as.store.flushUses();
    const consent = await as.store.findConsent(who.user.id, app.id);
    assert.deepEqual(consent?.last_used_at, as.clock.now());
    assert.notDeepEqual(consent?.granted_at, as.clock.now());
  });

  test("H-8: the user's decision is in the audit log with actor, action and scopes", async () => {
    await allow({ scope: "openid profile" });
    const event = as.events.findLast(({ type }) => type === "consent");
    assert.equal(event?.outcome, "success");
    assert.deepEqual(event?.actor, { kind: "user", id: who.user.id });
    assert.deepEqual(event?.target, { table: "oauth_apps", id: app.id });
    assert.deepEqual(event?.details, { scope: "openid profile" });
    await answer((await question({ scope: "orders:read" })).form, "deny");
    assert.equal(as.events.findLast(({ type }) => type === "consent")?.outcome, "failure");
  });

  const forPerson = (message: RegExp) => ({ name: "OAuthError", code: "invalid_request", message });

  test("A-21: a forged or edited consent form is refused and has no effect", async () => {
    const { form, url } = await question();
    const { session } = who;
    const edited = [...form].map((letter, at) =>
      at === form.length - 30 ? (letter === "A" ? "B" : "A") : letter,
    );
    const plain = JSON.stringify({
      url,
      session_id: session.id,
      nonce: "n",
      asked_at: as.clock.now().getTime(),
    });
    for (const forged of [
      "",
      "x",
      plain,
      Buffer.from(plain).toString("base64url"),
      edited.join(""),
      form.slice(0, -1),
      `${form}A`,
      form.replace(/^v1\.[0-9a-f]{16}/, "v1.0000000000000000"),
      as.server.sealer.seal("form", plain, "another form"),
      as.server.sealer.seal("cookie", plain, "consent"),
    ]) {
      await assert.rejects(answer(forged), forPerson(/cannot be read/), forged);
    }
    await nothingHappened();
  });

  test("A-21: a consent form of another session is refused, even of the same user", async () => {
    const { form } = await question();
    const elsewhere = await signedIn(as, who.user);
    const another = await signedIn(as, await aUser(as.store));
    for (const by of [elsewhere, another]) {
      await assert.rejects(answer(form, "allow", by), forPerson(/another session/));
      await assert.rejects(answer(form, "deny", by), forPerson(/another session/));
    }
    await nothingHappened();
    // Another user's attempt does not use up the form.
    assert.equal(redirected(await answer(form)).has("code"), true);
  });

  test("A-21: a consent form can be answered once, with either button", async () => {
    for (const decision of ["allow", "deny"] as const) {
      const { form } = await question({ prompt: "consent" });
      await answer(form, decision);
      await assert.rejects(answer(form, "allow"), forPerson(/already submitted/));
      await assert.rejects(answer(form, "deny"), forPerson(/already submitted/));
    }
    assert.equal(await as.store.count("oauth_auth_codes", { app_id: app.id }), 1);
  });

  test("A-21: of eight concurrent answers to one consent form, one counts", async () => {
    const { form } = await question();
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => answer(form)));
    assert.equal(answers.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(await as.store.count("oauth_auth_codes", { app_id: app.id }), 1);
  });

  test("A-21: a consent form is valid for half an hour", async () => {
    const late = await question();
    as.clock.advance(1800);
    await assert.rejects(answer(late.form), forPerson(/has expired/));
    await nothingHappened();
    const intime = await question();
    as.clock.advance(1799);
    assert.equal(redirected(await answer(intime.form)).has("code"), true);
  });

  test("A-21: two consent pages of one session are independent, and each answers its own request", async () => {
    const one = await question({ state: "one" });
    const two = await question({ state: "two" });
    assert.notEqual(one.form, two.form);
    assert.equal(redirected(await answer(two.form, "deny")).get("state"), "two");
    assert.equal(redirected(await answer(one.form)).get("state"), "one");
  });

  test("A-21: the hidden form value reveals nothing of the request", async () => {
    const { form } = await question({ state: "marker-state" });
    const text = form + Buffer.from(form.split(".").at(-1) ?? "", "base64url").toString("latin1");
    for (const secret of ["marker-state", who.session.id, "redirect_uri"])
      assert.equal(text.includes(secret), false);
  });

  describe("changes between the consent page and the user's answer", () => {
    test("A-30: if the client was deactivated, there is no code and no redirect", async () => {
      const { form } = await question();
      await deactivate(as.store, "oauth_apps", app.id, as.clock.now());
      await assert.rejects(answer(form), forPerson(/not active/));
      await nothingHappened();
    });

    test("A-7: if the redirect URI is no longer registered, there is no redirect", async () => {
      const { form } = await question();
      await as.store.update("oauth_apps", { id: app.id }, { redirect_uris: ["https://app.example/new"] });
      await assert.rejects(answer(form), forPerson(/redirect_uri is not registered/));
      await nothingHappened();
    });

    test("A-13: a scope that is no longer allowed is not granted", async () => {
      const { form } = await question({ scope: "openid profile" });
      const custom = await question({ scope: "openid orders:read" });
      await as.store.update("oauth_apps", { id: app.id }, { allowed_scopes: ["openid"] });
      assert.equal(redirected(await answer(form)).get("error"), "invalid_scope");
      await nothingHappened();
      // No API defines the scope now, so it is ignored.
      assert.ok(redirected(await answer(custom.form)).get("code"));
      const [code] = await as.store.list("oauth_auth_codes", { app_id: app.id });
      assert.deepEqual(code?.scopes, ["openid"]);
    });

    test("A-29: if the sign-in has become too old, the user signs in again", async () => {
      const { form } = await question({ max_age: "60" });
      as.clock.advance(61);
      assert.equal((await answer(form)).type, "login");
      await nothingHappened();
    });
  });

  test("a consent form is bound to the path and query of its request", async () => {
    const url = `/oauth/authorize?${formOf(authorizeParameters(app, { state: "b" }))}`;
    const outcome = await answer(
      consentForm(
        { url, document_hash: null, scopes: ["openid", "profile"], resource_ids: [] },
        who.session.id,
        as.server,
      ),
    );
    assert.equal(redirected(outcome).get("state"), "b");
  });
});

const site = { redirect_uris: ["https://client.example/cb"] };

describeInForm("consents for separate APIs", (database) => {
  const scenario = serverOn(database);
  let lure: ApiResource;
  let bank: ApiResource;
  let bare: ApiResource;
  before(async () => {
    const open = (scopes: ApiResource["scopes"]) =>
      aResource(scenario.store, {
        who_may_ask: "any",
        scopes,
        default_scopes: Object.keys(scopes).slice(0, 1),
      });
    lure = await open({ "transfers:write": "Say hello", "greetings:read": null });
    bank = await open({ "transfers:write": "Move money" });
    bare = await open({});
  });

  async function requested(fixture: ClientFixture, resource: string | undefined, scope: string | undefined) {
    return ask(scenario, fixture.who, authorizeParameters(fixture.app, { resource, scope }));
  }

  async function shown(fixture: ClientFixture, resource: string | undefined, scope: string | undefined) {
    const outcome = await requested(fixture, resource, scope);
    if (outcome.type !== "consent") throw new Error(`a ${outcome.type} was answered`);
    return outcome;
  }

  const fixtures: readonly [string, Partial<OAuthApp>][] = [
    ["an open client", { ...anOpenClient, ...site }],
    ["a registered app", { ...site, allowed_scopes: ["openid", "transfers:write"], public: false }],
  ];

  for (const [name, overrides] of fixtures)
    test(`PR-93: a consent to ${name} at one API does not count for another API with the same scope`, async () => {
      const fixture = await aClientFixture(scenario, overrides);
      await fixture.flow({ resource: lure.identifier, scope: "transfers:write" });
      assert.equal((await requested(fixture, lure.identifier, "transfers:write")).type, "redirect");
      const question = await shown(fixture, bank.identifier, "transfers:write");
      assert.deepEqual(question.scopes, [{ name: "transfers:write", already_granted: false }]);
      assert.deepEqual(
        question.resources.map(({ identifier }) => identifier),
        [bank.identifier],
      );
      const silent = await ask(scenario, fixture.who, {
        ...authorizeParameters(fixture.app, { resource: bank.identifier, scope: "transfers:write" }),
        prompt: "none",
      });
      assert.equal(redirected(silent).get("error"), "consent_required");
      const tokens = await fixture.flow({ resource: bank.identifier, scope: "transfers:write" });
      assert.equal(claimsOf(tokens.access_token).aud, bank.identifier);
      for (const { identifier } of [lure, bank]) {
        assert.equal((await requested(fixture, identifier, "transfers:write")).type, "redirect");
      }
    });

  test("PR-93: a consent to openid alone, without an API or for another API, permits no API", async () => {
    const fixture = await aClientFixture(scenario, { ...anOpenClient, ...site });
    await fixture.flow({ scope: "openid" });
    assert.equal((await requested(fixture, undefined, "openid")).type, "redirect");
    await shown(fixture, bare.identifier, "openid");
    await fixture.flow({ resource: lure.identifier, scope: "openid greetings:read" });
    await shown(fixture, bare.identifier, "openid");
    await fixture.flow({ resource: bare.identifier, scope: "openid" });
    assert.equal((await requested(fixture, bare.identifier, "openid")).type, "redirect");
  });

  test("PR-93: a step-up does not carry over the consent to another API", async () => {
    const fixture = await aClientFixture(scenario, { ...anOpenClient, ...site });
    await fixture.flow({ resource: lure.identifier, scope: "transfers:write" });
    const { scopes } = await shown(fixture, bank.identifier, "openid");
    assert.deepEqual(
      scopes.map(({ name }) => name),
      ["openid"],
    );
  });

  test("PR-93: a consent that was narrowed, or stored by an earlier version, applies as stored", async () => {
    const fixture = await aClientFixture(scenario, { ...anOpenClient, ...site });
    const scope = "transfers:write greetings:read";
    await fixture.flow({ resource: lure.identifier, scope });
    await scenario.store.update("oauth_consents", { app_id: fixture.app.id }, { scopes: ["greetings:read"] });
    assert.deepEqual(
      (await shown(fixture, lure.identifier, scope)).scopes.map(({ already_granted }) => already_granted),
      [false, true],
    );
    const earlier = { scopes: ["transfers:write"], scopes_by_resource: null };
    await scenario.store.update("oauth_consents", { app_id: fixture.app.id }, earlier);
    assert.equal((await requested(fixture, bank.identifier, "transfers:write")).type, "redirect");
  });

  test("A-21: if the meaning of a request changes, the user sees the page again before it is allowed", async () => {
    const fixture = await aClientFixture(scenario, { ...anOpenClient, ...site });
    const { form } = await shown(fixture, lure.identifier, undefined);
    const wider = { default_scopes: ["transfers:write", "greetings:read"] };
    await scenario.store.update("resources", { id: lure.id }, wider);
    const answer = (overrides: string, decision: "allow" | "deny" = "allow") =>
      answerConsent({ form: overrides, decision, signedIn: fixture.who, origin }, scenario.server);
    const again = await answer(form);
    if (again.type !== "consent") throw new Error(`a ${again.type} was answered`);
    assert.deepEqual(
      again.scopes.map(({ name }) => name),
      wider.default_scopes,
    );
    assert.equal(await scenario.store.find("oauth_consents", { app_id: fixture.app.id }), undefined);
    assert.ok(redirected(await answer(again.form)).get("code"));
  });
});
