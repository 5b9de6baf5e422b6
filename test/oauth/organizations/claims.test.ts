import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type ClaimedMembership, membershipClaims } from "../../../src/oauth/organizations/claims.ts";
import { checkNew } from "../../../src/records/formats/check.ts";
import { type ClaimSurface, claimSurfaces, membershipScopes } from "../../../src/records/names/names.ts";
import { wholeMember } from "../../../src/records/rules/member.ts";
import { serverOn } from "../../support/authorization_server.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anOrganization,
  aResource,
  aRole,
} from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import { aClientFixture, claimsAt, claimsOf } from "../client_fixture.ts";

const ofMembership = (claims: object) =>
  Object.fromEntries(
    Object.entries(claims).filter(([name]) => membershipScopes.some((scope) => scope === name)),
  );

/** Without the name of the organization, which access tokens omit. */
const withoutName = ({ organization, ...claims }: Record<string, unknown>) => {
  const { name: _, ...rest } = (organization ?? {}) as Record<string, unknown>;
  return { ...claims, ...(organization !== undefined && { organization: rest }) };
};

for (const database of databases)
  describe(`claims of a membership on ${database.name}`, () => {
    const as = serverOn(database);

    test("OC-3: id_token, access token, userinfo and introspection have the same membership claims, for any scopes", async () => {
      const fixture = await aClientFixture(as, {
        first_party: true,
        organization_mode: "auto",
        allowed_scopes: ["openid", ...membershipScopes],
      });
      assert.ok(await as.store.hasOrganizationApp());
      const words = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" });
      await fc.assert(
        fc.asyncProperty(fc.subarray([...membershipScopes]), words, words, async (scopes, role, word) => {
          const { id: organization_id } = await anOrganization(as.store);
          const further = await aRole(as.store, {
            organization_id,
            name: `x ${word}`,
            permissions: ["a", "b"],
          });
          const { id: role_id, name: inGroup } = await aRole(as.store, { permissions: ["b", "c"] });
          const role_ids = [further.id];
          const given = { user_id: fixture.user.id, organization_id, role, role_ids };
          const membership = await aMembership(as.store, given);
          const { id } = membership;
          const group = { organization_id, display_name: word, role_ids: [role_id, further.id] };
          await aGroupMember(as.store, membership, await aGroup(as.store, group));
          const scope = ["openid", ...scopes].join(" ");
          const tokens = await fixture.flow({ scope, organization: organization_id });
          assert.ok(tokens.id_token);
          const told = ofMembership(await claimsAt(as, tokens.access_token));
          assert.deepEqual(Object.keys(told).toSorted(), scopes.toSorted());
          const roles = [role, further.name, inGroup];
          if (scopes.includes("roles"))
            assert.deepEqual((told.roles as string[]).toSorted(), [...new Set(roles)].toSorted());
          if (scopes.includes("groups")) assert.deepEqual(told.groups, [word]);
          if (scopes.includes("permissions"))
            assert.deepEqual((told.permissions as string[]).toSorted(), ["a", "b", "c"]);
          assert.deepEqual(ofMembership(claimsOf(tokens.id_token)), told);
          assert.deepEqual(ofMembership(await fixture.introspect(tokens.access_token)), told);
          assert.deepEqual(ofMembership(claimsOf(tokens.access_token)), withoutName(told));
          await as.store.remove("memberships", { id });
        }),
        { numRuns: 20 },
      );
    });

    test("OC-3: the settings of an app and of an API decide in which tokens and responses a claim appears", async () => {
      const resource = await aResource(as.store, {
        scopes: { "orders:read": null },
        claims: { roles: ["introspection"] },
      });
      const fixture = await aClientFixture(as, {
        first_party: true,
        organization_mode: "auto",
        allowed_scopes: ["openid", "organization", "roles", "orders:read"],
        claims: { organization: ["access_token", "introspection"] },
      });
      await aMembership(as.store, { user_id: fixture.user.id });
      const scope = "openid organization roles orders:read";
      const { id_token = "", access_token } = await fixture.flow({ scope, resource: resource.identifier });
      const names = (claims: object) => Object.keys(ofMembership(claims)).toSorted();
      assert.deepEqual(names(claimsOf(id_token)), ["roles"]);
      assert.deepEqual(names(claimsOf(access_token)), ["organization"]);
      assert.deepEqual(names(await fixture.introspect(access_token)), ["organization", "roles"]);
    });

    test("OC-3: scopes for memberships have no effect if the token is not for an organization", async () => {
      const fixture = await aClientFixture(as, {
        first_party: true,
        allowed_scopes: ["openid", ...membershipScopes],
      });
      const { organization_id } = await aMembership(as.store, { user_id: fixture.user.id });
      const scope = ["openid", ...membershipScopes].join(" ");
      const { id_token = "", access_token } = await fixture.flow({ scope, organization: organization_id });
      for (const claims of [claimsOf(id_token), claimsOf(access_token), await claimsAt(as, access_token)])
        assert.deepEqual(ofMembership(claims), {});
    });

    test("OC-5: the membership claims of a token stay below 4 kB, and omitted ones are listed", async () => {
      const organization = await anOrganization(as.store);
      const membership = await aMembership(as.store, { organization_id: organization.id });
      const longest = { ...membership, role: "r".repeat(5000) };
      const claimed: ClaimedMembership = {
        member: wholeMember({ membership: longest, organization, roles: [], groups: [], app_roles: [] }),
        scopes: membershipScopes,
        app: { claims: null },
        resources: [],
      };
      const at = (surface: ClaimSurface) => membershipClaims(claimed, surface);
      for (const surface of ["id_token", "access_token"] as const) {
        const claims = at(surface);
        assert.ok(JSON.stringify(claims).length <= 4096);
        assert.equal(claims.roles_overage, true);
        assert.equal(Object.hasOwn(claims, "roles"), false);
        assert.equal((claims.organization as { id: string }).id, organization.id);
      }
      for (const surface of ["userinfo", "introspection"] as const)
        assert.deepEqual(at(surface).roles, [longest.role]);
    });
  });

describe("the setting that decides where claims appear", () => {
  test("OC-3: the claims setting of an app accepts only existing claims and places", () => {
    const errorsOf = (claims: unknown) =>
      checkNew("oauth_apps", { name: "Web", claims }, {} as never)
        .errors.map(({ path }) => path)
        .filter((path) => path.startsWith("/claims"));
    assert.deepEqual(errorsOf({ roles: [...claimSurfaces], groups: [] }), []);
    assert.deepEqual(errorsOf({ email: ["id_token"] }), ["/claims/email"]);
    assert.deepEqual(errorsOf({ roles: "id_token" }), ["/claims/roles"]);
    assert.deepEqual(errorsOf({ roles: ["id_token", "header"] }), ["/claims/roles/1"]);
    for (const name of ["__proto__", "constructor", "a b"])
      assert.equal(errorsOf(JSON.parse(`{${JSON.stringify(name)}: []}`)).length, 1);
  });
});
