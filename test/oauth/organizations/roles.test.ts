import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { createRecord, removeRecord, updateRecord } from "../../../src/admin/manage/manage.ts";
import { resourceOf } from "../../../src/admin/resources/resources.ts";
import { membershipScopes } from "../../../src/records/names/names.ts";
import { refused, testContext } from "../../admin/context.ts";
import { serverOn } from "../../support/authorization_server.ts";
import {
  aGroup,
  aGroupMember,
  aMembership,
  anAppRole,
  anOrganization,
  aResource,
  aRole,
} from "../../support/builders.ts";
import { databases, describeInForm } from "../../support/databases.ts";
import { until } from "../../support/until.ts";
import { aClientFixture, claimsAt, claimsOf } from "../client_fixture.ts";

const scope = ["openid", ...membershipScopes].join(" ");
const given = {
  first_party: true,
  organization_mode: "auto",
  allowed_scopes: ["openid", ...membershipScopes, "orders:read"],
} as const;

/** Names that could be mistaken for a claim, that break out of JSON, or that every object has. */
const hostile = ['admin"],"x":["', "__proto__", "iss", "constructor", "groups", "<b>", "a,b c"];

for (const database of databases)
  describe(`roles and groups in tokens, on ${database.name}`, () => {
    const as = serverOn(database);

    test("OC-6: a token has the roles of the membership and of its groups, and their permissions, each once", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: organization_id } = await anOrganization(as.store);
      const editor = await aRole(as.store, {
        name: "editor",
        permissions: ["a:read", "a:write"],
        organization_id,
      });
      const auditor = await aRole(as.store, { name: "auditor", permissions: ["a:read", "log:read"] });
      const membership = await aMembership(as.store, {
        user_id: fixture.user.id,
        organization_id,
        role: "developer",
        permissions: ["users:write"],
        role_ids: [editor.id],
      });
      for (const display_name of ["Sales", "Berlin"])
        await aGroupMember(
          as.store,
          membership,
          await aGroup(as.store, { organization_id, display_name, role_ids: [auditor.id, editor.id] }),
        );
      const { access_token } = await fixture.flow({ scope });
      const { roles, groups, permissions } = claimsOf(access_token);
      assert.deepEqual(roles, ["developer", "auditor", "editor"]);
      assert.deepEqual(groups, ["Berlin", "Sales"]);
      assert.deepEqual(permissions, ["a:read", "log:read", "a:write"]);
    });

    test("H-1: an impossible API identifier for an app role is refused, and one in capitals is found", async () => {
      const { id, scopes } = await aResource(as.store, { scopes: { "orders:read": "Read" } });
      const make = (resource_id: unknown) =>
        createRecord(testContext(as.store), resourceOf("app_roles"), {
          ...{ name: "reader", resource_id },
          scopes: Object.keys(scopes),
        });
      for (const wrong of ["", "x", 1, null]) await refused(make(wrong), "invalid_record /resource_id");
      const { record } = await make(id.toUpperCase());
      assert.deepEqual(record.scopes, ["orders:read"]);
    });

    test("OC-6: a membership may have the roles of its organization and of the server", async () => {
      const [{ id: organization_id }, other] = [
        await anOrganization(as.store),
        await anOrganization(as.store),
      ];
      const own = await aRole(as.store, { name: "own", organization_id });
      const server = await aRole(as.store, { name: "of the server", organization_id: null });
      const foreign = await aRole(as.store, { name: "foreign", organization_id: other.id });
      const api = await aResource(as.store, { organization_id });
      const app_role = await anAppRole(as.store, { resource_id: api.id });
      const ids = async (list: "role_ids" | "app_role_ids") =>
        (await as.store.assignableRoles(list, organization_id, 100)).map(({ id }) => id);
      const found = await ids("role_ids");
      assert.deepEqual(
        [own, server, foreign].map(({ id }) => found.includes(id)),
        [true, true, false],
      );
      assert.ok((await ids("app_role_ids")).includes(app_role.id));
      const [known] = await as.store.rolesById("app_role_ids", [app_role.id]);
      assert.equal(known?.called, `${api.identifier}#${app_role.name}`);
      assert.deepEqual((await as.store.rolesById("role_ids", [foreign.id, own.id])).length, 2);
    });

    test("OC-6: any name of a role or group is one string in the claims, whatever characters it has", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: organization_id } = await anOrganization(as.store);
      const role_ids: string[] = [];
      for (const name of hostile) role_ids.push((await aRole(as.store, { name, organization_id })).id);
      const membership = await aMembership(as.store, { user_id: fixture.user.id, organization_id, role_ids });
      for (const display_name of hostile)
        await aGroupMember(as.store, membership, await aGroup(as.store, { organization_id, display_name }));
      const { access_token } = await fixture.flow({ scope });
      const claims = claimsOf(access_token);
      const told = (await fixture.introspect(access_token)) as { roles?: unknown; groups?: unknown };
      for (const { roles, groups } of [claims, told]) {
        assert.deepEqual((roles as string[]).toSorted(), [...hostile, "member"].toSorted());
        assert.deepEqual((groups as string[]).toSorted(), hostile.toSorted());
      }
      assert.equal(claims.iss, as.server.issuer);
    });

    test("OC-6: no role of an organization looks like a role of the server that is newer", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: organization_id } = await anOrganization(as.store);
      const word = `w${crypto.randomUUID().slice(0, 8)}`;
      const older = await aRole(as.store, { name: `${word}-Auditor`, organization_id });
      const clerk = await aRole(as.store, { name: `${word}-clerk`, organization_id });
      const role_ids = [older.id, clerk.id];
      const role = `${word}-аudіt0r`;
      const membership = await aMembership(as.store, {
        ...{ user_id: fixture.user.id, organization_id },
        ...{ role, role_ids },
      });
      const { access_token } = await fixture.flow({ scope });
      const told = async () => {
        const answer = (await fixture.introspect(access_token)) as { roles?: string[] };
        return answer.roles?.toSorted();
      };
      const before = [older.name, clerk.name, role].toSorted();
      assert.deepEqual(await told(), before);
      const newer = await aRole(as.store, { name: `${word}-auditor` });
      await until(async () => !isDeepStrictEqual(await told(), before), "the role is known");
      assert.deepEqual(await told(), [clerk.name]);
      await as.store.update("memberships", { id: membership.id }, { role_ids: [...role_ids, newer.id] });
      await until(async () => (await told())?.length === 2, "the change is known");
      assert.deepEqual(await told(), [newer.name, clerk.name].toSorted());
    });

    test("OC-3, OC-6: in a token for an API, no other role can have the name of one of its app roles", async () => {
      const fixture = await aClientFixture(as, { ...given, claims_dialect: "keycloak" });
      const [mine, theirs] = [await anOrganization(as.store), await anOrganization(as.store)];
      const api = await aResource(as.store, { organization_id: theirs.id, who_may_ask: "any" });
      const other = await aResource(as.store);
      await as.store.update("oauth_apps", { id: fixture.app.id }, { resources: [api.identifier] });
      await anAppRole(as.store, { resource_id: api.id, name: "Clerk" });
      const clerk = await aRole(as.store, { name: "clerk", organization_id: mine.id });
      const editor = await aRole(as.store, { name: "editor", organization_id: mine.id });
      const membership = await aMembership(as.store, {
        ...{ user_id: fixture.user.id, organization_id: mine.id, role: "CLERK" },
        role_ids: [clerk.id, editor.id],
      });
      const rolesIn = async (resource: string) => {
        const { access_token } = await fixture.flow({ scope, resource });
        const { roles, realm_access } = claimsOf(access_token);
        const told = (await fixture.introspect(access_token)) as { roles?: unknown };
        assert.deepEqual(told.roles, roles);
        assert.deepEqual((realm_access as { roles?: unknown }).roles, roles);
        return roles;
      };
      assert.deepEqual(await rolesIn(other.identifier), ["CLERK", "clerk", "editor"]);
      assert.deepEqual(await rolesIn(api.identifier), ["editor"]);
      await as.store.update("memberships", { id: membership.id }, { role: "member" });
      assert.deepEqual(await rolesIn(api.identifier), ["member", "editor"]);
    });

    test("OC-6: a token for an API has the user's app roles at that API only", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: organization_id } = await anOrganization(as.store);
      const [one, two] = [await aResource(as.store), await aResource(as.store)];
      const app_role_ids = [
        (await anAppRole(as.store, { resource_id: one.id, name: "clerk" })).id,
        (await anAppRole(as.store, { resource_id: two.id, name: "chief" })).id,
      ];
      await aMembership(as.store, { user_id: fixture.user.id, organization_id, app_role_ids });
      const rolesFor = async (resource: string | string[]) =>
        claimsOf((await fixture.flow({ scope, resource } as never)).access_token).roles;
      assert.deepEqual(await rolesFor(one.identifier), ["member", "clerk"]);
      assert.deepEqual(await rolesFor(two.identifier), ["member", "chief"]);
      assert.deepEqual(claimsOf((await fixture.flow({ scope })).access_token).roles, ["member"]);
    });

    test("OC-6: a renamed role has its new name in tokens immediately, and a deleted role is in none", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: organization_id } = await anOrganization(as.store);
      const role = await aRole(as.store, { name: "editor", organization_id });
      const other = await aRole(as.store, { name: "other", organization_id });
      const membership = await aMembership(as.store, {
        user_id: fixture.user.id,
        organization_id,
        role_ids: [role.id, other.id],
      });
      const group = await aGroup(as.store, { organization_id, role_ids: [role.id] });
      await aGroupMember(as.store, membership, group);
      const { access_token } = await fixture.flow({ scope });
      const told = async () => ((await fixture.introspect(access_token)) as { roles?: unknown }).roles;
      const [context, roles] = [testContext(as.store), resourceOf("roles")];
      await updateRecord(context, roles, role.id, { name: "author" });
      assert.deepEqual(await told(), ["member", "author", "other"]);
      await removeRecord(context, roles, role.id);
      assert.deepEqual(await told(), ["member", "other"]);
      assert.deepEqual((await as.store.find("memberships", { id: membership.id }))?.role_ids, [other.id]);
      assert.deepEqual((await as.store.find("groups", { id: group.id }))?.role_ids, []);
    });

    test("OC-6: no membership or group keeps the app roles of a deleted API", async () => {
      const { id: organization_id } = await anOrganization(as.store);
      const [api, other] = [await aResource(as.store), await aResource(as.store)];
      const kept = await anAppRole(as.store, { resource_id: other.id, name: "clerk" });
      const app_role_ids = [
        (await anAppRole(as.store, { resource_id: api.id, name: "clerk" })).id,
        (await anAppRole(as.store, { resource_id: api.id, name: "chief" })).id,
        kept.id,
      ];
      const membership = await aMembership(as.store, { organization_id, app_role_ids });
      const group = await aGroup(as.store, { organization_id, app_role_ids });
      await removeRecord(testContext(as.store), resourceOf("resources"), api.id);
      assert.deepEqual((await as.store.find("memberships", { id: membership.id }))?.app_role_ids, [kept.id]);
      assert.deepEqual((await as.store.find("groups", { id: group.id }))?.app_role_ids, [kept.id]);
    });

    test("OC-6: a role of another organization grants nothing, even if a membership lists it", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: other } = await anOrganization(as.store);
      const role = await aRole(as.store, { name: "theirs", organization_id: other });
      const api = await aResource(as.store, { organization_id: other, who_may_ask: "any" });
      const app_role = await anAppRole(as.store, { resource_id: api.id, name: "clerk" });
      await aMembership(as.store, {
        user_id: fixture.user.id,
        role_ids: [role.id],
        app_role_ids: [app_role.id],
      });
      const { access_token } = await fixture.flow({ scope, resource: api.identifier });
      assert.deepEqual(claimsOf(access_token).roles, ["member"]);
    });

    test("OC-5: 100 roles and groups are put into a token, and 101 are not", async () => {
      const fixture = await aClientFixture(as, given);
      const { id: organization_id } = await anOrganization(as.store);
      const membership = await aMembership(as.store, { user_id: fixture.user.id, organization_id });
      const join = async (display_name: string) =>
        aGroupMember(as.store, membership, await aGroup(as.store, { organization_id, display_name }));
      for (let at = 0; at < 99; at += 1) await join(`g${at}`);
      const { groups, groups_overage } = claimsOf((await fixture.flow({ scope })).access_token);
      assert.deepEqual([(groups as string[]).length, groups_overage], [99, undefined]);
      await join("one more");
      const more = claimsOf((await fixture.flow({ scope })).access_token);
      assert.deepEqual([more.groups, more.groups_overage], [undefined, true]);
    });

    test("OC-6: permissions of the management API are not put into tokens", async () => {
      const fixture = await aClientFixture(as, given);
      const permissions = ["users:write", "memberships:write"];
      await aMembership(as.store, { user_id: fixture.user.id, role: "owner", permissions });
      const { access_token } = await fixture.flow({ scope });
      assert.deepEqual(claimsOf(access_token).permissions, []);
    });

    test("OC-6: issuing a token makes no further database query if the member is cached", async () => {
      const fixture = await aClientFixture(as, given);
      const role = await aRole(as.store);
      const membership = await aMembership(as.store, { user_id: fixture.user.id, role_ids: [role.id] });
      await aGroupMember(as.store, membership);
      const member = () => as.store.findMember(membership.id);
      const found = await member();
      assert.deepEqual([found?.roles.length, found?.groups.length], [1, 1]);
      // Waits until the change notices of the rows above have arrived.
      const isKept = async () => {
        const before = await member();
        return before === (await member());
      };
      await until(isKept, "the member is kept");
    });
  });

describeInForm("a member of very many groups", (database) => {
  const as = serverOn(database);

  test("OC-5: for 5,000 groups a token says that there are too many, and userinfo and introspection list all", async () => {
    const fixture = await aClientFixture(as, given);
    const { id: organization_id } = await anOrganization(as.store);
    const membership = await aMembership(as.store, { user_id: fixture.user.id, organization_id });
    await as.store.transaction(async (tx) => {
      const rows = { ...as.store, insert: tx.insert };
      for (let at = 0; at < 5000; at += 1) {
        const display_name = `Group ${String(at).padStart(4, "0")}`;
        await aGroupMember(rows, membership, await aGroup(rows, { organization_id, display_name }));
      }
    });
    const { id_token = "", access_token } = await fixture.flow({ scope });
    for (const claims of [claimsOf(id_token), claimsOf(access_token)]) {
      assert.equal(Object.hasOwn(claims, "groups"), false);
      assert.equal(claims.groups_overage, true);
      assert.deepEqual(claims.roles, ["member"]);
    }
    const told = (await fixture.introspect(access_token)) as { groups: string[] };
    assert.deepEqual((await claimsAt(as, access_token)).groups, told.groups);
    assert.deepEqual(
      [told.groups.length, told.groups.at(0), told.groups.at(-1)],
      [5000, "Group 0000", "Group 4999"],
    );
  });
});
