import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { fieldsOf, type TableName, tables } from "../../src/records/definition.ts";
import {
  besideSpecification,
  enumerations,
  referents,
  type SpecifiedField,
  specification,
  uniquePairs,
} from "./specification.ts";

/**
 * How we hold each type of the specification: hashes are kept as their bytes, what a caller sends at any
 * length as text.
 */
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

function defaultOf(constraints: string): unknown {
  const [, written] = /default (\S.*)$/.exec(constraints) ?? [];
  if (written === undefined) return undefined;
  if (written.startsWith("[")) return written.slice(1, -1).split(", ").filter(Boolean);
  return { true: true, false: false }[written] ?? (/^\d+$/.test(written) ? Number(written) : written);
}

describe("the records of spec section 2", () => {
  for (const [table, specified] of Object.entries(specification) as [
    TableName,
    Record<string, SpecifiedField>,
  ][]) {
    const fields = fieldsOf(table);

    test(`spec 2: ${table} has the fields of the specification in its order; others are internal or stated`, () => {
      const shown = Object.entries(fields).filter(([, { internal }]) => !internal);
      assert.deepEqual(
        shown.map(([name]) => name),
        [...Object.keys(specified), ...(besideSpecification[table] ?? [])],
      );
    });

    for (const [name, [type, constraints]] of Object.entries(specified))
      test(`spec 2: ${table}.${name} is ${type}, ${constraints}`, () => {
        const field = fields[name];
        assert.ok(field);
        assert.ok(kindsOf[type]?.includes(field.kind), field.kind);
        const says = (word: string) => constraints.split(", ").includes(word);
        assert.equal(field.immutable ?? false, says("immutable"));
        assert.equal(field.unique ?? false, says("unique"));
        assert.equal(field.sensitive ?? false, says("sensitive"));
        assert.equal(field.auto_update ?? false, says("auto-update"));
        assert.equal(field.required, !says("optional"));
        if (says("not empty")) assert.equal(field.not_empty, true);
        const [, max] = /max (?:length )?(\d+)/.exec(constraints) ?? [];
        if (max !== undefined) assert.equal(field.max_length, Number(max));
        if (says("optional")) assert.deepEqual(field.default, defaultOf(constraints) ?? null);
        else assert.deepEqual(field.default, defaultOf(constraints));
        assert.deepEqual(field.values, enumerations[`${table}.${name}`]);
        assert.equal(field.references?.table, says("FK") ? referents[name] : undefined);
        assert.ok(field.meaning.length > 0);
      });

    test(`spec 2: the unique pairs of ${table} are those of the specification`, () => {
      const { unique = [] } = tables[table] as { unique?: readonly (readonly string[])[] };
      assert.deepEqual(unique, uniquePairs[table] === undefined ? [] : [uniquePairs[table]]);
    });
  }

  test("every field of a fixed set of values has a default among them, or none", () => {
    for (const table of Object.keys(tables) as TableName[])
      for (const [name, field] of Object.entries(fieldsOf(table)))
        if (field.values !== undefined && field.default !== undefined && field.default !== null)
          assert.ok(field.values.includes(String(field.default)), `${table}.${name}`);
  });
});
