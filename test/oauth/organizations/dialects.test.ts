import assert from "node:assert/strict";
import { test } from "node:test";
import { type ClaimedMembership, membershipClaims } from "../../../src/oauth/organizations/claims.ts";
import { claimSurfaces, membershipScopes } from "../../../src/records/names/names.ts";
import { wholeMember } from "../../../src/records/rules/member.ts";
import { aMembership, anOrganization } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";

const [database] = databases;

test("OC-3: an app can get the claims of Auth0 or Keycloak in addition to the standard ones", async () => {
  assert.ok(database);
  const store = await database.open();
  const organization = await anOrganization(store, { slug: "acme-dialects" });
  const membership = await aMembership(store, { organization_id: organization.id, role: "admin" });
  const groups = ["admins/eu", "/staff"].map((display_name) => ({ id: membership.id, display_name }));
  const member = wholeMember({ membership, organization, roles: [], groups, app_roles: [] });
  const claimed = (
    claims_dialect: "none" | "auth0" | "keycloak",
    scopes: readonly string[],
  ): ClaimedMembership => ({
    ...{ member, scopes, resources: [] },
    app: { claims: null, claims_dialect, client_id: "grafana" },
  });
  for (const surface of claimSurfaces) {
    const plain = membershipClaims(claimed("none", membershipScopes), surface);
    assert.deepEqual(membershipClaims(claimed("auth0", membershipScopes), surface), {
      ...plain,
      ...{ org_id: organization.id, org_name: "acme-dialects" },
    });
    assert.deepEqual(membershipClaims(claimed("keycloak", membershipScopes), surface), {
      ...plain,
      groups: ["/acme-dialects/admins~/eu", "/acme-dialects/staff"],
      realm_access: { roles: ["admin"] },
      resource_access: { grafana: { roles: ["admin"] } },
    });
    assert.deepEqual(membershipClaims(claimed("keycloak", ["openid"]), surface), {});
    assert.deepEqual(membershipClaims(claimed("auth0", ["roles"]), surface), { roles: ["admin"] });
  }
});

test("OC-5: such additional claims count towards the size of a token, and are omitted with the ones they repeat", async () => {
  assert.ok(database);
  const store = await database.open();
  const organization = await anOrganization(store);
  const membership = await aMembership(store, { organization_id: organization.id });
  const roles = Array.from({ length: 90 }, (_, index) => ({
    ...{ id: String(index), name: `role-${index}-${"r".repeat(20)}`, permissions: [] },
  }));
  const claims = membershipClaims(
    {
      member: wholeMember({ membership, organization, roles, groups: [], app_roles: [] }),
      ...{ scopes: membershipScopes, resources: [] },
      app: { claims: null, claims_dialect: "keycloak", client_id: "grafana" },
    },
    "access_token",
  );
  assert.ok(Buffer.byteLength(JSON.stringify(claims)) <= 4096);
  assert.equal(claims.roles_overage, true);
  assert.equal(Object.hasOwn(claims, "realm_access"), false);
});
