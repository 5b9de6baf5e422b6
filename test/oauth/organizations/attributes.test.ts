import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { TokenResponse } from "../../../src/oauth/core/authorization.ts";
import { ownApi } from "../../../src/oauth/resources/protected_resources.ts";
import { previewTokens } from "../../../src/oauth/token/token_preview.ts";
import type { ApiResource, OAuthApp } from "../../../src/records/definition/definition.ts";
import { scopesOf } from "../../../src/records/formats/resource_scopes.ts";
import { attributeRecords } from "../../../src/records/names/attributes.ts";
import { claimSurfaces } from "../../../src/records/names/names.ts";
import { standardAttributes } from "../../../src/records/rules/attributes.ts";
import { serverOn } from "../../support/authorization_server.ts";
import { aMembership, anAttribute, anOrganization, aResource } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { aClientFixture, claimsAt, claimsOf } from "../client_fixture.ts";
import { aMachine, switchedOn } from "../machine.ts";

const ready = standardAttributes.map(({ name }) => name);
const everywhere = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, [...claimSurfaces]]));

/** Returns those of the claims that are attributes. */
const among = (claims: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => names.includes(name)));

for (const database of databasesInForm)
  describe(`claims of attributes on ${database.name}`, () => {
    const as = serverOn(database, { ...switchedOn, extra_features: ["resource_metadata"] });
    const person = {
      given_name: "Ada",
      family_name: "Lovelace",
      phone_number: "+441632960001",
      locale: "en-GB",
    };

    test("OC-7: id_token, access token, userinfo and introspection have the same claims from attributes", async () => {
      const word = `w${crypto.randomUUID().slice(0, 8)}`;
      const [badge, desk, region, tier] = ["badge", "desk", "region", "tier"].map(
        (name) => `${name}_${word}`,
      );
      assert.ok(badge && desk && region && tier);
      await anAttribute(as.store, { name: badge, claim: badge, scopes: ["profile"] });
      await anAttribute(as.store, {
        name: desk,
        record_type: "memberships",
        claim: desk,
        scopes: ["desk", "hr"],
      });
      await anAttribute(as.store, { name: region, record_type: "organizations", claim: region });
      await anAttribute(as.store, { name: tier, record_type: "apps", claim: tier });
      const names = [...ready, badge, desk, region, tier];
      const fixture = await aClientFixture(
        as,
        {
          first_party: true,
          organization_mode: "auto",
          allowed_scopes: ["openid", "profile", "email", "phone", "hr"],
          claims: everywhere(...names),
          attributes: { [tier]: "gold" },
          email_as_username: true,
        },
        { attributes: { ...person, [badge]: 17 } },
      );
      const { organization_id } = await aMembership(as.store, {
        user_id: fixture.user.id,
        attributes: { [desk]: ["4.12", "4.13"] },
      });
      await as.store.update("organizations", { id: organization_id }, { attributes: { [region]: "emea" } });
      const expected: Record<string, object> = {
        profile: { given_name: "Ada", family_name: "Lovelace", locale: "en-GB", [badge]: 17 },
        phone: { phone_number: "+441632960001" },
        hr: { [desk]: ["4.12", "4.13"] },
        openid: { [region]: "emea", [tier]: "gold" },
      };
      await fc.assert(
        fc.asyncProperty(fc.subarray(["profile", "email", "phone", "hr"]), async (scopes) => {
          const granted = ["openid", ...scopes];
          const username = scopes.includes("profile") && scopes.includes("email");
          const told = Object.assign(
            username ? { preferred_username: fixture.user.email } : {},
            ...granted.map((scope) => expected[scope]),
          );
          const tokens = await fixture.flow({ scope: granted.join(" ") });
          assert.ok(tokens.id_token);
          for (const claims of [
            claimsOf(tokens.id_token),
            claimsOf(tokens.access_token),
            await claimsAt(as, tokens.access_token),
            await fixture.introspect(tokens.access_token),
          ])
            assert.deepEqual(among(claims, names), told);
        }),
        { numRuns: 16 },
      );
    });

    test("OC-7: an app gets only attributes that its claims setting names, and an API can narrow its tokens further", async () => {
      const resource = await aResource(as.store, {
        scopes: { "orders:read": null },
        claims: { given_name: ["introspection"] },
      });
      const allowed_scopes = ["openid", "profile", "phone", "orders:read"];
      const silent = await aClientFixture(as, { first_party: true, allowed_scopes }, { attributes: person });
      const asked = await aClientFixture(
        as,
        {
          first_party: true,
          allowed_scopes,
          claims: { ...everywhere("given_name"), phone_number: ["userinfo"] },
        },
        { attributes: person },
      );
      const scope = "openid profile phone orders:read";
      const plain = await silent.flow({ scope });
      assert.deepEqual(among(claimsOf(plain.id_token ?? ""), ready), {});
      assert.deepEqual(among(await claimsAt(as, plain.access_token), ready), {});
      const tokens = await asked.flow({ scope, resource: resource.identifier });
      assert.deepEqual(among(claimsOf(tokens.id_token ?? ""), ready), { given_name: "Ada" });
      assert.deepEqual(among(claimsOf(tokens.access_token), ready), {});
      assert.deepEqual(among(await asked.introspect(tokens.access_token), ready), { given_name: "Ada" });
    });

    test("OC-7: an organization's attribute is only in tokens for it, and cannot replace one of the server", async () => {
      const claim = `c${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name: claim, record_type: "users", claim, scopes: ["profile"] });
      const fixture = await aClientFixture(
        as,
        {
          first_party: true,
          organization_mode: "auto",
          allowed_scopes: ["openid", "profile"],
          claims: everywhere(claim, `${claim}_own`),
        },
        { attributes: { [claim]: "of the server" } },
      );
      const { organization_id } = await aMembership(as.store, {
        user_id: fixture.user.id,
        attributes: { forged: "forged", own: "own" },
      });
      const other = await aMembership(as.store, { attributes: { own: "other" } });
      const at = { record_type: "memberships", scopes: ["profile"] } as const;
      await anAttribute(as.store, { ...at, organization_id, name: "forged", claim });
      await anAttribute(as.store, { ...at, organization_id, name: "own", claim: `${claim}_own` });
      await anAttribute(as.store, {
        ...at,
        organization_id: other.organization_id,
        name: "own",
        claim: `${claim}_own`,
      });
      const { id_token = "" } = await fixture.flow({ scope: "openid profile" });
      assert.deepEqual(among(claimsOf(id_token), [claim, `${claim}_own`]), {
        [claim]: "of the server",
        [`${claim}_own`]: "own",
      });
    });

    test("OC-7: a claim of the server replaces the same claim of an organization, whatever records they belong to", async () => {
      const claim = `c${crypto.randomUUID().slice(0, 8)}`;
      const fixture = await aClientFixture(as, {
        ...{ first_party: true, organization_mode: "auto", allowed_scopes: ["openid", "profile"] },
        claims: everywhere(claim),
        attributes: { [claim]: "of the server" },
      });
      const { organization_id } = await aMembership(as.store, {
        user_id: fixture.user.id,
        attributes: { forged: "forged" },
      });
      const forged = { name: "forged", record_type: "memberships", organization_id } as const;
      await anAttribute(as.store, { ...forged, claim, scopes: ["profile"] });
      await anAttribute(as.store, { name: claim, record_type: "apps", claim });
      const { id_token = "" } = await fixture.flow({ scope: "openid profile" });
      assert.equal(claimsOf(id_token)[claim], "of the server");
    });

    test("OC-7: an API of an organization does not get a claim that the organization may not read", async () => {
      const name = `h${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name, readers: [], claim: name, scopes: ["profile"] });
      const { id: organization_id } = await anOrganization(as.store);
      const theirs = await aResource(as.store, { organization_id, scopes: { "theirs:read": null } });
      const ours = await aResource(as.store, { scopes: { "ours:read": null } });
      const allowed_scopes = ["openid", "profile", "theirs:read", "ours:read"];
      const resources = [theirs.identifier];
      const app = { first_party: true, claims: everywhere(name), allowed_scopes, resources };
      const fixture = await aClientFixture(as, app, { attributes: { [name]: "hidden" } });
      const told = async (scope: string, resource: string | string[]) => {
        const { id_token = "", access_token } = await fixture.flow({
          scope: `openid profile ${scope}`,
          resource,
        });
        const claims = [claimsOf(id_token), claimsOf(access_token), await fixture.introspect(access_token)];
        return claims.map((each) => Object.hasOwn(each, name));
      };
      assert.deepEqual(await told("ours:read", ours.identifier), [true, true, true]);
      assert.deepEqual(await told("theirs:read", theirs.identifier), [true, false, false]);
      const both = [ours.identifier, theirs.identifier];
      assert.deepEqual(await told("ours:read theirs:read", both), [true, false, false]);
    });

    test("OC-7: an organization's API gets no hidden claim by presenting its token at userinfo", async () => {
      const name = `h${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name, readers: [], claim: name, scopes: ["profile"] });
      const { id: organization_id } = await anOrganization(as.store);
      const scopes = { "api:read": null };
      const theirs = await aResource(as.store, { organization_id, scopes });
      const ours = await aResource(as.store, { scopes });
      const fixture = await aClientFixture(
        as,
        {
          ...{ first_party: true, claims: everywhere(name), resources: [theirs.identifier] },
          allowed_scopes: ["openid", "profile", "api:read"],
        },
        { attributes: { [name]: "hidden" } },
      );
      const client = await as.store.findClientOfApp(fixture.app.id);
      const server = ownApi(as.server);
      assert.ok(client && server);
      const isAllowed = (name: string) => fixture.app.allowed_scopes.includes(name);
      const told = async (...resources: ApiResource[]) => {
        const scopes = ["openid", "profile", ...resources.flatMap(scopesOf)].filter(isAllowed);
        const resource = resources.map(({ identifier }) => identifier);
        const { access_token } = await fixture.flow({ scope: scopes.join(" "), resource });
        const about = { client, user: fixture.user, member: undefined, scopes, resources };
        const { claims } = await previewTokens(about, as.server);
        const value = (await claimsAt(as, access_token))[name];
        assert.equal(claims.userinfo.find(({ claim }) => claim === name)?.value, value);
        return value;
      };
      assert.equal(await told(server), "hidden");
      assert.equal(await told(ours, server), "hidden");
      assert.equal(await told(theirs, server), undefined);
    });

    test("OC-7: an organization's machine gets no hidden claim of the app through which it gets its token", async () => {
      const name = `h${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name, record_type: "apps", readers: [], claim: name });
      const fixture = await aClientFixture(as, {
        ...{ allowed_grants: ["jwt_bearer", "client_credentials"], allowed_scopes: ["orders:read"] },
        ...{ claims: everywhere(name), attributes: { [name]: "hidden" } },
      });
      const ours = await aResource(as.store, {
        scopes: { "orders:read": null },
        default_scopes: ["orders:read"],
      });
      const machine = await aMachine(as, { account: { allowed_scopes: ["orders:read"] } });
      const told = async ({ access_token }: TokenResponse) => {
        const claims = [claimsOf(access_token), await fixture.introspect(access_token)];
        return claims.map((each) => Object.hasOwn(each, name));
      };
      assert.deepEqual(await told(await fixture.clientCredentials()), [true, true]);
      for (const resource of [undefined, ours.identifier]) {
        const answer = await machine.exchange({ resource }, fixture.authorization);
        assert.deepEqual(await told(answer), [false, false]);
      }
    });

    test("OC-7: tokens that still name an organization get no hidden claim after the app leaves it", async () => {
      const name = `h${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name, readers: [], claim: name, scopes: ["profile"] });
      const { id: organization_id } = await anOrganization(as.store);
      const fixture = await aClientFixture(
        as,
        {
          ...{ first_party: true, organization_id, claims: everywhere(name) },
          allowed_scopes: ["openid", "profile", "offline_access"],
        },
        { attributes: { [name]: "hidden" } },
      );
      const { refresh_token } = await fixture.flow({ scope: "openid profile offline_access" });
      await as.store.update("oauth_apps", { id: fixture.app.id }, { organization_id: null });
      const { id_token = "", access_token } = await fixture.refresh(refresh_token);
      const claims = [claimsOf(id_token), claimsOf(access_token), await claimsAt(as, access_token)];
      assert.deepEqual(
        claims.map((each) => Object.hasOwn(each, name)),
        [true, false, false],
      );
    });

    test("OC-7: an organization's app gets no hidden claim by introspecting tokens for an API of the server", async () => {
      const name = `h${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name, readers: [], claim: name, scopes: ["profile"] });
      const { id: organization_id } = await anOrganization(as.store);
      const ours = await aClientFixture(as);
      const theirs = await aClientFixture(as, { organization_id, allowed_scopes: ["token:introspect"] });
      const app_ids = [ours.app.id, theirs.app.id];
      const resource = await aResource(as.store, { app_ids, scopes: { "orders:read": null } });
      const fixture = await aClientFixture(
        as,
        {
          ...{ first_party: true, claims: everywhere(name) },
          allowed_scopes: ["openid", "profile", "orders:read"],
        },
        { attributes: { [name]: "hidden" } },
      );
      const scope = "openid profile orders:read";
      const { access_token } = await fixture.flow({ scope, resource: resource.identifier });
      for (const reader of [fixture, ours, theirs]) {
        const answer = await reader.introspect(access_token);
        assert.deepEqual(
          [Object.hasOwn(answer, "scope"), Object.hasOwn(answer, name)],
          [true, reader !== theirs],
        );
      }
    });

    test("OC-7: an app of an organization does not get a claim that neither its administrators nor the user may read", async () => {
      const word = `h${crypto.randomUUID().slice(0, 8)}`;
      const claimOf = (record_type: string, readers: readonly string[]) =>
        [word, record_type, ...readers].join("_");
      const claims: Record<string, string> = {};
      for (const record_type of attributeRecords)
        for (const readers of [[], ["user"], ["admin"]] as const) {
          const name = claimOf(record_type, readers);
          claims[name] = record_type;
          await anAttribute(as.store, { name, record_type, readers, claim: name, scopes: ["profile"] });
        }
      const { id: organization_id } = await anOrganization(as.store, { attributes: claims });
      const told = async (app: Partial<OAuthApp>) => {
        const fixture = await aClientFixture(
          as,
          {
            ...{ first_party: true, organization_mode: "auto", allowed_scopes: ["openid", "profile"] },
            ...{ claims: everywhere(...Object.keys(claims)), attributes: claims, ...app },
          },
          { attributes: claims },
        );
        const member = { user_id: fixture.user.id, organization_id, attributes: claims };
        await aMembership(as.store, member);
        const { id_token = "", access_token } = await fixture.flow({ scope: "openid profile" });
        const all = [claimsOf(id_token), await claimsAt(as, access_token)].map((each) =>
          Object.keys(among(each, Object.keys(claims))).toSorted(),
        );
        assert.deepEqual(all[0], all[1]);
        return all[0];
      };
      assert.deepEqual(await told({}), Object.keys(claims).toSorted());
      const readable = attributeRecords.map((record_type) => claimOf(record_type, ["admin"]));
      const own = ["users", "memberships"].map((record_type) => claimOf(record_type, ["user"]));
      assert.deepEqual(await told({ organization_id }), [...readable, ...own].toSorted());
    });

    test("OC-5: attributes that are too long for a token are listed in it, and userinfo returns them", async () => {
      const names = Array.from(
        { length: 6 },
        (_, index) => `long_${crypto.randomUUID().slice(0, 8)}_${index}`,
      );
      for (const name of names)
        await anAttribute(as.store, { name, claim: name, scopes: ["profile"], max: 1024 });
      const attributes = Object.fromEntries(names.map((name) => [name, "x".repeat(1000)]));
      const fixture = await aClientFixture(
        as,
        { first_party: true, allowed_scopes: ["openid", "profile"], claims: everywhere(...names) },
        { attributes },
      );
      const tokens = await fixture.flow({ scope: "openid profile" });
      for (const token of [tokens.id_token ?? "", tokens.access_token]) {
        assert.deepEqual(among(claimsOf(token), names), {});
        assert.equal(claimsOf(token).attributes_overage, true);
      }
      assert.deepEqual(among(await claimsAt(as, tokens.access_token), names), attributes);
    });

    test("OC-7: a changed attribute shows at userinfo, in introspection and in refreshed tokens", async () => {
      const fixture = await aClientFixture(
        as,
        {
          first_party: true,
          allowed_scopes: ["openid", "profile", "offline_access"],
          claims: everywhere("locale"),
        },
        { attributes: { locale: "en" } },
      );
      const tokens = await fixture.flow({ scope: "openid profile offline_access" });
      await as.store.update("users", { id: fixture.user.id }, { attributes: { locale: "fr" } });
      assert.equal((await claimsAt(as, tokens.access_token)).locale, "fr");
      const refreshed = await fixture.refresh(tokens.refresh_token);
      assert.equal(claimsOf(refreshed.id_token ?? "").locale, "fr");
    });
  });
