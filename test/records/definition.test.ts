import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { fieldsOf, type TableName, tables } from "../../src/records/definition/definition.ts";
import { words } from "../support/lists.ts";

/** The tables of the specification, in the order of the parts of its section 2. */
const inOrder: readonly TableName[] = words(`
  users organizations memberships oauth_accounts api_keys oauth_apps oauth_app_secrets oauth_tokens
  oauth_auth_codes oauth_consents service_accounts service_account_key_pairs
`) as TableName[];

/** How each type is stored: hashes as bytes, values that callers send at any length as text. */
const kindsOf: Record<string, readonly string[]> = {
  UUID: ["uuid"],
  string: ["string", "text", "signature"],
  text: ["text"],
  enum: ["string"],
  int: ["int"],
  bool: ["bool"],
  time: ["time"],
  JSON: ["json"],
};

/** The target of each reference. */
const referents: Readonly<Record<string, TableName>> = {
  user_id: "users",
  owner_id: "users",
  created_by: "users",
  organization_id: "organizations",
  app_id: "oauth_apps",
  service_account_id: "service_accounts",
};

const text = readFileSync(new URL("../../docs/specification.md", import.meta.url), "utf8");
const parts = text.split(/^### 2\.\d+ /m).slice(1);

function fieldsIn(part: string) {
  const rows = part.split(/^#/m, 1)[0]?.matchAll(/^\| (\w+) \| (\w+) \| (.*?) \|(?: (.*?) \|)?$/gm) ?? [];
  return [...rows]
    .map(([, name = "", type = "", constraints = "", meaning = ""]) => ({ name, type, constraints, meaning }))
    .filter(({ name }) => name !== "Field");
}

const [, unchanging = ""] = /^All except (.+) then have `updated_at`/m.exec(text) ?? [];

/** Returns the fields of a part, including those that section 2 states for every record. */
function specifiedIn(part: string, at: number) {
  const time = { type: "time", meaning: "" };
  const updated = unchanging.split(/, | and /).includes(`2.${at + 1}`)
    ? []
    : [{ name: "updated_at", ...time, constraints: "auto-update" }];
  return [
    { name: "id", type: "UUID", constraints: "PK, immutable", meaning: "" },
    ...fieldsIn(part),
    { name: "created_at", ...time, constraints: "immutable" },
    ...updated,
  ];
}

function defaultOf(constraints: string): unknown {
  const [, written] = /default (\S.*)$/.exec(constraints) ?? [];
  if (written === undefined) return undefined;
  if (written.startsWith("[")) return written.slice(1, -1).split(", ").filter(Boolean);
  return { true: true, false: false }[written] ?? (/^\d+$/.test(written) ? Number(written) : written);
}

describe("the records of spec section 2", () => {
  test("spec 2: the specification has a section for each of these tables", () => {
    assert.equal(parts.length, inOrder.length);
  });

  for (const [at, table] of inOrder.entries()) {
    const part = parts[at] ?? "";
    const specified = specifiedIn(part, at);
    const fields = fieldsOf(table);

    test(`spec 2: ${table} has the fields of the specification first, in its order`, () => {
      assert.ok(specified.length > 5, String(specified.length));
      const shown = Object.entries(fields).filter(([, { internal }]) => !internal);
      assert.deepEqual(
        shown.slice(0, specified.length).map(([name]) => name),
        specified.map(({ name }) => name),
      );
    });

    test(`spec 2: the fields of ${table} have the types and constraints of the specification`, () => {
      for (const { name, type, constraints, meaning } of specified) {
        const field = fields[name];
        const where = `${name}: ${type}, ${constraints}`;
        assert.ok(field, where);
        assert.ok(kindsOf[type]?.includes(field.kind), where);
        const says = (word: string) => constraints.split(", ").includes(word);
        assert.equal(field.immutable ?? false, says("immutable"), where);
        assert.equal(field.unique ?? false, says("unique"), where);
        assert.equal(field.sensitive ?? false, says("sensitive"), where);
        assert.equal(field.auto_update ?? false, says("auto-update"), where);
        assert.equal(field.required, !says("optional"), where);
        if (says("not empty")) assert.equal(field.not_empty, true, where);
        const [, max] = /max (?:length )?(\d+)/.exec(constraints) ?? [];
        if (max !== undefined) assert.equal(field.max_length, Number(max), where);
        const usual = defaultOf(constraints);
        assert.deepEqual(field.default, says("optional") ? (usual ?? null) : usual, where);
        const [, values] = /values: ([\w, ]+)/.exec(meaning) ?? [];
        assert.deepEqual(field.values, values?.split(", "), where);
        assert.equal(field.references?.table, says("FK") ? referents[name] : undefined, where);
      }
    });

    test(`spec 2: the unique pairs of ${table} are those of the specification`, () => {
      const { unique = [] } = tables[table] as { unique?: readonly (readonly string[])[] };
      const [, pair] = /^Unique: .*\((\w+, \w+)\)/m.exec(part.split(/^#/m, 1)[0] ?? "") ?? [];
      assert.deepEqual(unique, pair === undefined ? [] : [pair.split(", ")]);
    });
  }

  test("the default of a field with a fixed set of values is one of them", () => {
    for (const table of Object.keys(tables) as TableName[])
      for (const [name, field] of Object.entries(fieldsOf(table)))
        if (field.values !== undefined && field.default !== undefined && field.default !== null)
          assert.ok(field.values.includes(String(field.default)), `${table}.${name}`);
  });
});
