import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import {
  mayAddSomewhere,
  mayDo,
  requirePermission,
  requirePermissionForNew,
} from "../../src/admin/access/access.ts";
import { impactOf } from "../../src/admin/reports/impact.ts";
import { hasNames, labelsOf } from "../../src/admin/reports/labels.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import { aToken, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { managementFixture, requesters } from "../support/management_fixture.ts";
import { refused, testContext } from "./context.ts";

/** Returns whether this field decides to which user or organization a new record belongs. */
const isPlaceOf = (table: string) => (name: string) => {
  if (table === "oauth_app_secrets") return name === "app_id";
  if (table === "service_account_key_pairs") return name === "service_account_id";
  if (table === "memberships" || table === "service_accounts" || table === "oauth_apps")
    return name === "organization_id";
  return name === "user_id" || (table === "api_keys" && name === "organization_id");
};

for (const database of databasesInForm)
  describe(`checks before the console offers an action, on ${database.name}`, async () => {
    const fixture = await managementFixture(await database.open());
    const { store, actors, acme, other, app, account, people } = fixture;
    const as = (requester: (typeof requesters)[number]) => testContext(store, actors[requester]);

    test("a caller who may not read a record does not see its name either", async () => {
      const references = [
        { table: "oauth_apps", id: app.id.toUpperCase() },
        { table: "organizations", id: acme.id },
        { table: "users", id: people.member.id },
        { table: "service_accounts", id: account.id },
        { table: "oauth_tokens", id: randomUUID() },
        { table: "users", id: "nonsense" },
        { table: "oauth_apps", id: app.client_id, by: "client_id" },
        { table: "oauth_apps", id: app.client_id },
      ] as const;
      const reported = async (requester: (typeof requesters)[number]) => {
        const labels = await labelsOf(as(requester), references);
        return references.map((reference) => labels(reference)?.name);
      };
      const all = [app.name, acme.name, "member", account.name, undefined, undefined, app.name, undefined];
      assert.deepEqual(await reported("platform_administrator"), all);
      assert.deepEqual(await reported("admin"), all);
      // A developer sees no record of the organization's other members, and outsiders see no record of the
      // organization.
      assert.deepEqual(await reported("developer"), [
        app.name,
        acme.name,
        undefined,
        account.name,
        undefined,
        undefined,
        app.name,
        undefined,
      ]);
      assert.deepEqual(
        await reported("outsider"),
        references.map(() => undefined),
      );
      assert.equal(hasNames("oauth_apps"), true);
      assert.equal(hasNames("oauth_tokens"), false);
    });

    test("the console offers an action exactly if the permission checks would allow it", async () => {
      for (const requester of requesters)
        for (const [table, resourceType, id] of [
          ["oauth_apps", "apps", app.id],
          ["organizations", "organizations", acme.id],
          ["organizations", "organizations", other.id],
          ["users", "users", people.member.id],
          ["service_accounts", "service_accounts", account.id],
          ["users", "users", randomUUID()],
          ["users", "users", "nonsense"],
        ] as const)
          for (const verb of ["read", "write"] as const) {
            const permission = `${resourceType}:${verb}` as const;
            const demanded = await requirePermission(as(requester), permission, table, id).then(
              () => true,
              () => false,
            );
            assert.equal(
              await mayDo(as(requester), permission, table, id),
              demanded,
              `${requester} ${permission} ${id}`,
            );
          }
    });

    test("the console offers a new record to callers who may create one in some organization", async () => {
      const drafts = [
        {},
        { user_id: people.member.id },
        { organization_id: acme.id },
        { organization_id: other.id },
        { app_id: app.id },
        { service_account_id: account.id },
        ...Object.values(people).map(({ id }) => ({ user_id: id })),
      ];
      for (const requester of requesters) {
        for (const { resourceType, table, create } of resources) {
          if (create === undefined) continue;
          const offered = await mayAddSomewhere(as(requester), `${resourceType}:write`, table);
          const passed = await Promise.all(
            drafts.map((draft) =>
              requirePermissionForNew(as(requester), `${resourceType}:write`, table, draft).then(
                () => true,
                () => false,
              ),
            ),
          );
          // A draft that does not say to whom the record belongs is allowed for every caller who has the
          // permission anywhere.
          const said = passed.filter((_, index) => Object.keys(drafts[index] ?? {}).some(isPlaceOf(table)));
          if (!offered)
            assert.ok(!said.includes(true), `${requester} ${resourceType}: not offered, though it may`);
          else assert.ok(passed.includes(true), `${requester} ${resourceType}: offered, though it may not`);
        }
      }
    });

    test("only callers who may delete a record see what its deletion would end", async () => {
      await aToken(store, { app_id: app.id, user_id: people.member.id, access_expires_at: later(600) });
      const [apps] = resources.filter(({ resourceType }) => resourceType === "apps");
      assert.ok(apps);
      const impact = await impactOf(as("developer"), apps, app.id.toUpperCase());
      assert.equal(impact.tokens, 1);
      await refused(impactOf(as("member"), apps, app.id), "forbidden");
      await refused(impactOf(as("outsider"), apps, app.id), "not_found");
    });
  });
