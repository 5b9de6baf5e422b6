import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { previewTokens } from "../../../src/oauth/token/token_preview.ts";
import { type ClaimSurface, claimSurfaces, membershipScopes } from "../../../src/records/names/names.ts";
import { type TokenPreview, tokenRefusals } from "../../../src/records/names/token_preview.ts";
import { standardAttributes } from "../../../src/records/rules/attributes.ts";
import { serverOn } from "../../support/authorization_server.ts";
import { aMembership, anAttribute, aResource, aRole } from "../../support/builders.ts";
import { databasesInForm } from "../../support/databases.ts";
import { aClientFixture, claimsAt, claimsOf } from "../client_fixture.ts";

/** Claims that depend on the time, the sign-in or the signature. */
const ofTheMoment = ["exp", "iat", "jti", "nonce", "at_hash", "auth_time", "acr", "amr", "sid"];
const lasting = (claims: object) =>
  Object.fromEntries(Object.entries(claims).filter(([name]) => !ofTheMoment.includes(name)));

const present = ({ claims }: TokenPreview, surface: ClaimSurface) =>
  Object.fromEntries(
    claims[surface]
      .filter(({ absent, set_at_issue }) => absent === undefined && !set_at_issue)
      .map(({ claim, value }) => [claim, value]),
  );

const absences = ({ claims }: TokenPreview, surface: ClaimSurface) =>
  Object.fromEntries(claims[surface].flatMap(({ claim, absent }) => (absent ? [[claim, absent]] : [])));

const standard = standardAttributes.map(({ name }) => name);

for (const database of databasesInForm)
  describe(`the token preview on ${database.name}`, () => {
    const as = serverOn(database);

    test("OC-3: the preview equals issued and refreshed tokens, userinfo and introspection, with protocol claims", async () => {
      const claim = `c${crypto.randomUUID().slice(0, 8)}`;
      await anAttribute(as.store, { name: claim, record_type: "memberships", claim, scopes: ["desk"] });
      const surfaces = fc.subarray([...claimSurfaces]);
      const claims = fc.dictionary(fc.constantFrom(...standard, claim, ...membershipScopes), surfaces);
      const scopes = ["profile", "email", "phone", "desk", "offline_access", ...membershipScopes];
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            claims,
            scopes: fc.subarray(scopes),
            mode: fc.constantFrom("none" as const, "auto" as const),
            claims_in_id_token: fc.boolean(),
            email_as_username: fc.boolean(),
            with_api: fc.boolean(),
            claims_dialect: fc.constantFrom("none" as const, "auth0" as const, "keycloak" as const),
          }),
          async ({ claims, scopes: wanted, mode, with_api, ...members }) => {
            const fixture = await aClientFixture(
              as,
              {
                first_party: true,
                organization_mode: mode,
                allowed_scopes: ["openid", ...scopes, "orders:read"],
                claims,
                ...members,
              },
              { attributes: { given_name: "Ada", phone_number: "+441632960001" } },
            );
            const { id: membership_id, organization_id } = await aMembership(as.store, {
              user_id: fixture.user.id,
              attributes: { [claim]: "4.12" },
            });
            const role = await aRole(as.store, { organization_id });
            await as.store.update("memberships", { id: membership_id }, { role_ids: [role.id] });
            const api = await aResource(as.store, {
              scopes: {
                "orders:read": null,
                desk: null,
                phone: null,
                ...Object.fromEntries(membershipScopes.map((name) => [name, null])),
              },
              claims: { roles: ["introspection"], given_name: [] },
            });
            const scope = ["openid", ...wanted].join(" ");
            const tokens = await fixture.flow({ scope, ...(with_api && { resource: api.identifier }) });
            const client = await as.store.findClientOfApp(fixture.app.id);
            const user = await as.store.findUser(fixture.user.id);
            assert.ok(client && user);
            const preview = await previewTokens(
              {
                client,
                user,
                member: mode === "none" ? undefined : await as.store.findMemberIn(user.id, organization_id),
                scopes: scope.split(" "),
                resources: with_api ? [api] : [],
              },
              as.server,
            );
            assert.deepEqual(preview.scopes.toSorted(), tokens.scope.split(" ").toSorted());
            assert.deepEqual(present(preview, "id_token"), lasting(claimsOf(tokens.id_token ?? "")));
            assert.deepEqual(present(preview, "access_token"), lasting(claimsOf(tokens.access_token)));
            assert.deepEqual(
              present(preview, "introspection"),
              lasting(await fixture.introspect(tokens.access_token)),
            );
            for (const surface of ["id_token", "access_token", "introspection"] as const)
              for (const name of surface === "introspection" ? ["sub", "aud"] : ["iss", "sub", "aud"])
                assert.ok(Object.hasOwn(present(preview, surface), name), `${surface} ${name}`);
            // Userinfo refuses a token for an API.
            if (with_api) assert.deepEqual(preview.claims.userinfo, []);
            else assert.deepEqual(present(preview, "userinfo"), await claimsAt(as, tokens.access_token));
            for (const [surface, of] of [
              ["id_token", claimsOf(tokens.id_token ?? "")],
              ["access_token", claimsOf(tokens.access_token)],
              ["introspection", await fixture.introspect(tokens.access_token)],
            ] as const)
              for (const { claim, set_at_issue } of preview.claims[surface])
                assert.ok(!set_at_issue || Object.hasOwn(of, claim), `${surface} ${claim}`);
            // This comes last, because it ends the access token.
            if (tokens.refresh_token !== undefined) {
              const refreshed = await fixture.refresh(tokens.refresh_token);
              assert.deepEqual(present(preview, "access_token"), lasting(claimsOf(refreshed.access_token)));
              assert.deepEqual(present(preview, "id_token"), lasting(claimsOf(refreshed.id_token ?? "")));
            }
          },
        ),
        { numRuns: 25 },
      );
    });

    test("OC-3: the preview says why a claim is absent", async () => {
      const fixture = await aClientFixture(
        as,
        {
          organization_mode: "auto",
          allowed_scopes: ["openid", "profile", "roles", "groups"],
          claims: { given_name: ["id_token"], locale: ["id_token"], groups: [] },
          claims_in_id_token: false,
        },
        { attributes: { given_name: "Ada" } },
      );
      const { organization_id } = await aMembership(as.store, { user_id: fixture.user.id });
      const client = await as.store.findClientOfApp(fixture.app.id);
      assert.ok(client);
      const of = {
        client,
        user: fixture.user,
        resources: [],
        scopes: ["openid", "profile", "groups", "write"],
      };
      const member = await as.store.findMemberIn(fixture.user.id, organization_id);
      const preview = await previewTokens({ ...of, member }, as.server);
      assert.deepEqual(preview.refused_scopes, ["write"]);
      const { name, email, locale, phone_number, family_name, roles, groups, permissions } = absences(
        preview,
        "id_token",
      );
      assert.deepEqual(
        { name, email, locale, phone_number, family_name, roles, groups, permissions },
        {
          name: "not_in_claims_of_app",
          email: "scope_not_allowed",
          locale: "value_empty",
          phone_number: "scope_not_allowed",
          family_name: "not_in_claims_of_app",
          roles: "scope_not_requested",
          groups: "not_in_claims_of_app",
          permissions: "scope_not_allowed",
        },
      );
      const alone = await previewTokens({ ...of, member: undefined }, as.server);
      assert.equal(absences(alone, "id_token").groups, "no_organization");
      const machine = await previewTokens(
        {
          ...{ ...of, user: undefined, member: undefined },
          client: { ...client, app: { ...client.app, allowed_grants: ["client_credentials"] } },
        },
        as.server,
      );
      assert.deepEqual(machine.claims.id_token, []);
      assert.equal(present(machine, "access_token").sub, fixture.app.id);
    });

    test("OC-3: the preview of a request that would get no token has no claims, and says why", async () => {
      const fixture = await aClientFixture(as, { allowed_scopes: ["openid", "orders:read"] });
      const client = await as.store.findClientOfApp(fixture.app.id);
      assert.ok(client);
      const api = await aResource(as.store, { scopes: { "orders:read": null }, role_bound: true });
      type Request = Parameters<typeof previewTokens>[0];
      const of = (app: Partial<typeof client.app>, request: Partial<Request> = {}) =>
        previewTokens(
          {
            ...{ user: fixture.user, member: undefined, scopes: undefined, resources: [], ...request },
            client: { ...client, app: { ...client.app, ...app } },
          },
          as.server,
        );
      const choices = ["acme", "tiny"];
      const refused = await Promise.all([
        of({ active: false }),
        of({}, { user: { ...fixture.user, active: false } }),
        of({}, { user: undefined }),
        of({ who_may_sign_in: "members" }),
        of({}, { resources: [api], scopes: ["orders:read"] }),
        of({ organization_mode: "required" }),
        of({ organization_mode: "auto" }, { is_outsider: true }),
        of({ organization_mode: "auto" }, { choices }),
      ]);
      assert.deepEqual(
        refused.map(({ not_issued }) => not_issued),
        [...tokenRefusals],
      );
      for (const { claims } of refused) assert.deepEqual(Object.values(claims).flat(), []);
      assert.deepEqual(refused.at(-1)?.organizations, choices);
    });

    test("OC-6: the preview leaves out scopes that the user's app roles do not grant", async () => {
      const fixture = await aClientFixture(as, { allowed_scopes: ["openid", "orders:read"] });
      const client = await as.store.findClientOfApp(fixture.app.id);
      assert.ok(client);
      const api = await aResource(as.store, { scopes: { "orders:read": null }, role_bound: true });
      const { scopes, refused_scopes } = await previewTokens(
        {
          ...{ client, user: fixture.user, member: undefined, resources: [api] },
          scopes: ["openid", "orders:read"],
        },
        as.server,
      );
      assert.deepEqual([scopes, refused_scopes], [["openid"], ["orders:read"]]);
    });
  });
