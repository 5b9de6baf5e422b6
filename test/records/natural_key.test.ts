import assert from "node:assert/strict";
import { test } from "node:test";
import { type TableName, tables } from "../../src/records/definition.ts";
import { nameColumnOf, naturalKeyOf, whereNamed } from "../../src/records/natural_key.ts";
import { resourceTypeOfTable } from "../../src/records/permissions.ts";

test("a record is called by what callers give and is unique, and by nothing that the service makes", () => {
  const managed = (Object.keys(tables) as TableName[]).filter((table) => resourceTypeOfTable[table]);
  const keys = managed.map((table) => [table, naturalKeyOf(table).join(" ")] as const);
  assert.deepEqual(Object.fromEntries(keys.filter(([, key]) => key !== "")), {
    users: "email",
    organizations: "slug",
    memberships: "user_id organization_id",
    oauth_accounts: "provider provider_user_id",
    oauth_apps: "client_id",
    providers: "slug",
    oauth_consents: "user_id app_id",
    resources: "identifier",
    service_accounts: "email",
    service_account_key_pairs: "service_account_id key_id",
  });
});

test("a record that others refer to has one name, and e-mails are found whatever their case", () => {
  for (const { fields } of Object.values(tables)) {
    for (const field of Object.values(fields)) {
      const references = "references" in field ? field.references : undefined;
      if (references !== undefined) assert.ok(nameColumnOf(references.table as TableName), references.table);
    }
  }
  assert.equal(nameColumnOf("memberships"), undefined);
  assert.deepEqual(
    (["users", "organizations", "oauth_apps", "service_accounts"] as const).map(nameColumnOf),
    ["email", "slug", "client_id", "email"],
  );
  assert.deepEqual(whereNamed("email", "Ada@Example.com"), { email_key: "ada@example.com" });
  assert.deepEqual(whereNamed("slug", "acme"), { slug: "acme" });
});
