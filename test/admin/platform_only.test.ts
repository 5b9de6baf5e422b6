/** What only platform administrators may do is refused to others, and no form asks others for it. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, describe, test } from "node:test";
import { isPlatformOnly, platformFields } from "../../src/admin/guards/guards.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import { Problem } from "../../src/errors.ts";
import { formFields } from "../../src/http/console/record_fields.ts";
import { fieldsOf, type Row, type TableName } from "../../src/records/definition.ts";
import {
  aKeyPair,
  anApiKey,
  anApp,
  aProvider,
  aResource,
  aSecret,
  aServiceAccount,
} from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { aLinkedAccount, managementWorld } from "../support/management_world.ts";
import { guarded } from "./guarded.ts";

const [sqlite] = databasesInForm;
assert.ok(sqlite);

/** What the field of a record does not hold. */
function another(table: TableName, name: string, current: unknown): unknown {
  if (typeof current === "boolean") return !current;
  const { kind } = fieldsOf(table)[name] ?? {};
  return kind === "uuid" ? randomUUID() : kind === "time" ? new Date("2031-01-01") : "another";
}

describe("what only platform administrators may do", async () => {
  const store = await sqlite.open();
  after(() => store.close());
  const { acme, people, actors } = await managementWorld(store);
  const owner = guarded(store, actors.owner);
  const app = await anApp(store, { organization_id: acme.id, owner_id: people.owner.id });
  const account = await aServiceAccount(store, { organization_id: acme.id, created_by: people.owner.id });
  /** Records that the owner of the organization may change. */
  const rows = {
    users: people.owner,
    organizations: acme,
    oauth_accounts: await aLinkedAccount(store, people.owner.id),
    api_keys: await anApiKey(store, { user_id: people.owner.id, organization_id: null }),
    oauth_apps: app,
    oauth_app_secrets: await aSecret(store, { app_id: app.id }),
    resources: await aResource(store, { organization_id: acme.id }),
    providers: await aProvider(store, { organization_id: acme.id }),
    service_accounts: account,
    service_account_key_pairs: await aKeyPair(store, { service_account_id: account.id }),
  } satisfies { readonly [T in TableName]?: Row<T> };

  async function refusedAt(work: Promise<unknown>, of = ""): Promise<readonly string[]> {
    const error = await work.then(
      () => assert.fail("it was let pass"),
      (error: unknown) => error,
    );
    assert.ok(error instanceof Problem && error.code === "forbidden", `${of} ${error}`);
    return error.errors.map(({ path }) => path);
  }

  test("every field that a form leaves to them is refused to the owner of an organization", async () => {
    const met: string[] = [];
    for (const { table } of resources) {
      for (const name of platformFields(table, "update")) {
        const row = (rows as Partial<Record<TableName, object>>)[table];
        assert.ok(row !== undefined && "id" in row, `${table} has a record here`);
        if (fieldsOf(table)[name]?.immutable) continue;
        if (name === "settings.audience") {
          const change = owner.change(table, row as { id: string }, { settings: { audience: "urn:x" } });
          assert.deepEqual(await refusedAt(change, name), ["/settings/audience"]);
          continue;
        }
        const value = another(table, name, (row as Record<string, unknown>)[name]);
        const paths = await refusedAt(
          owner.change(table, row as { id: string }, { [name]: value }),
          `${table}.${name}`,
        );
        assert.ok(paths.includes(`/${name}`), `${table}.${name}: ${paths}`);
        met.push(`${table}.${name}`);
      }
    }
    for (const sure of ["users.email", "organizations.plan", "oauth_apps.first_party", "api_keys.user_id"]) {
      assert.ok(met.includes(sure), sure);
    }
  });

  test("a form asks others for none of these fields, and platform administrators for those that may be given", () => {
    for (const resource of resources) {
      const view = { id: randomUUID(), active: false, public: true };
      const names = (is_platform_admin: boolean) =>
        formFields(resource, is_platform_admin, view).map(({ name }) => name);
      const theirs = platformFields(resource.table, "update");
      assert.deepEqual(
        names(true).filter((name) => !theirs.includes(name)),
        names(false),
        resource.resourceType,
      );
    }
  });

  test("making and deleting are refused where they are theirs", async () => {
    for (const { table } of resources) {
      const row = (rows as Partial<Record<TableName, object>>)[table];
      if (row === undefined) continue;
      const id = { id: randomUUID() };
      if (isPlatformOnly(table, "create")) {
        assert.deepEqual(
          await refusedAt(owner.add(table, { ...row, ...id } as Row<typeof table>)),
          [],
          table,
        );
      }
      if (isPlatformOnly(table, "remove")) {
        assert.deepEqual(await refusedAt(owner.remove(table, row as { id: string })), [], table);
      }
    }
  });
});
