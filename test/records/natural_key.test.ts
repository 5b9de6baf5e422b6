import assert from "node:assert/strict";
import { test } from "node:test";
import { type TableName, tables } from "../../src/records/definition/definition.ts";
import { findNamed, nameColumnOf, nameForm, naturalKeyOf } from "../../src/records/definition/natural_key.ts";
import { resourceTypeOfTable } from "../../src/records/definition/permissions.ts";

test("a record's name is a unique field that callers set, and never a generated one", () => {
  const managed = (Object.keys(tables) as TableName[]).filter((table) => resourceTypeOfTable[table]);
  const keys = managed.map((table) => [table, naturalKeyOf(table).join(" ")] as const);
  assert.deepEqual(Object.fromEntries(keys.filter(([, key]) => key !== "")), {
    users: "email",
    organizations: "slug",
    memberships: "user_id organization_id",
    oauth_accounts: "provider provider_user_id",
    oauth_apps: "client_id",
    providers: "slug",
    events: "position",
    oauth_consents: "user_id app_id",
    resources: "identifier",
    groups: "organization_id display_name",
    group_members: "group_id user_id",
    app_roles: "resource_id name",
    service_accounts: "email",
    service_account_key_pairs: "service_account_id key_id",
  });
});

test("a record that others reference has exactly one name", () => {
  for (const [table, { fields }] of Object.entries(tables))
    for (const field of Object.values(fields)) {
      // Manifests and pages do not name the references of records that the management API does not show.
      if (resourceTypeOfTable[table as TableName] === undefined) continue;
      const references = "references" in field ? field.references : undefined;
      // Members of groups are not part of a configuration, so no manifest names a group.
      if (references !== undefined && table !== "group_members")
        assert.ok(nameColumnOf(references.table as TableName), references.table);
    }
  assert.equal(nameColumnOf("memberships"), undefined);
  assert.deepEqual(
    (["users", "organizations", "oauth_apps", "service_accounts"] as const).map(nameColumnOf),
    ["email", "slug", "client_id", "email"],
  );
});

test("P-9: an email names exactly one mailbox, and all other names match exactly", async () => {
  const rows = [
    { email: "ada@stra\u00dfe.example", email_key: "ada@stra\u00dfe.example" },
    { email: "ada@strasse.example", email_key: "ada@strasse.example" },
    { email: "bob@strasse.example", email_key: "bob@strasse.example" },
    { slug: "acme" },
  ];
  const find = async (where: object) =>
    rows.find((row) => Object.entries(where).every(([name, value]) => row[name as "email"] === value));
  for (const [column, name, found] of [
    ["email", "ADA@STRA\u1e9eE.example", 0],
    ["email", "ada@xn--strae-oqa.example", 0],
    ["email", "Ada@Strasse.example", 1],
    ["email", "bob@stra\u00dfe.example", undefined],
    ["slug", "acme", 3],
    ["slug", "Acme", undefined],
  ] as const) {
    assert.equal(await findNamed(column, name, find), found === undefined ? undefined : rows[found], name);
    const named = found === undefined ? undefined : rows[found]?.[column as "email"];
    if (named !== undefined) assert.equal(nameForm(column, name), nameForm(column, named));
  }
});
