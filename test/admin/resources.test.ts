import assert from "node:assert/strict";
import { test } from "node:test";
import { resourceOf, resources } from "../../src/admin/resources/resources.ts";
import { fieldsOf } from "../../src/records/definition/definition.ts";
import { naturalKeyOf } from "../../src/records/definition/natural_key.ts";
import { resourceTypes } from "../../src/records/definition/permissions.ts";

test("every resource type has exactly one resource definition with its own path", () => {
  assert.deepEqual(resources.map(({ resourceType }) => resourceType).toSorted(), resourceTypes.toSorted());
  const paths = resources.map(({ path }) => path);
  assert.equal(new Set(paths).size, paths.length);
  for (const resource of resources) {
    assert.match(resource.path, /^[a-z]+(?:-[a-z]+)*$/);
    assert.equal(resourceOf(resource.resourceType), resource);
  }
});

test("a resource in manifests refers only to resources before it, and each of its records has a name", () => {
  const parts = resources.flatMap(({ manifest }) =>
    (manifest?.members ?? []).flatMap(({ part }) => (part === undefined ? [] : [part])),
  );
  for (const { table, column } of parts) assert.ok(fieldsOf(table)[column]?.references, `${table}.${column}`);
  const written = resources
    .filter(({ table, manifest }) => manifest !== undefined || parts.some((part) => part.table === table))
    .map((resource) => resource.table);
  assert.ok(written.length > parts.length);
  for (const [index, table] of written.entries())
    for (const [name, { references }] of Object.entries(fieldsOf(table))) {
      if (references === undefined) continue;
      assert.ok(written.slice(0, index).includes(references.table as typeof table), `${table}.${name}`);
    }
  for (const { table, called_by = [], manifest } of resources) {
    const fields = fieldsOf(table);
    for (const name of [...called_by, ...(manifest?.also_given ?? []), ...(manifest?.known_by ?? [])])
      assert.ok(Object.hasOwn(fields, name), `${table}.${name}`);
    if (!written.includes(table)) continue;
    assert.equal(naturalKeyOf(table).length === 0, called_by.length > 0, `${table} has one name`);
  }
});

test("a resource definition names existing fields, and its additional fields are not columns", () => {
  for (const { table, server_set, fixed, unlisted = [], made_when_absent = {}, input, output } of resources) {
    const fields = fieldsOf(table);
    for (const name of [...server_set, ...fixed, ...unlisted, ...Object.keys(made_when_absent)])
      assert.ok(Object.hasOwn(fields, name), `${table}.${name}`);
    for (const [name, member] of Object.entries({ ...input?.create, ...input?.update, ...output })) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      const isNamed = "names_of" in member;
      assert.ok(field === undefined || field.sensitive === true || isNamed, `${table}.${name}`);
    }
  }
});

test("every list filter uses a column that is not secret, or is a search of the list itself", () => {
  for (const { table, filters } of resources) {
    const names = filters.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length, table);
    for (const { name, to } of filters) {
      if (["search", "created_from", "created_before", "attribute"].includes(to)) continue;
      const field = fieldsOf(table)[to];
      assert.ok(
        field !== undefined && field.sensitive !== true && field.kind !== "signature",
        `${table}.${name}`,
      );
    }
    assert.ok(names.includes("q"), `${table} can be searched`);
  }
});

test("no operation creates or changes tokens, codes, sessions, events or refusals; signing keys can be created and dropped", () => {
  const verbs = resources.map((resource) => [
    resource.path,
    (["create", "update", "remove", "revoke"] as const)
      .filter((verb) => resource[verb] !== undefined)
      .join(" "),
  ]);
  assert.deepEqual(Object.fromEntries(verbs), {
    users: "create update remove",
    organizations: "create update remove",
    roles: "create update remove",
    memberships: "create update remove",
    groups: "create update remove",
    "group-members": "create remove",
    "app-roles": "create update remove",
    "linked-accounts": "create update remove",
    "api-keys": "create update remove revoke",
    apps: "create update remove revoke",
    "app-secrets": "create update remove revoke",
    tokens: "revoke",
    "auth-codes": "revoke",
    consents: "create update remove revoke",
    sessions: "revoke",
    resources: "create update remove",
    attributes: "create update remove",
    providers: "create update remove",
    "service-accounts": "create update remove",
    "key-pairs": "create update remove revoke",
    "signing-keys": "create remove",
    "audit-events": "",
    events: "",
    "webhook-endpoints": "create update remove",
    refusals: "",
    deliveries: "",
  });
});
