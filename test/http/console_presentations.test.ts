import assert from "node:assert/strict";
import { test } from "node:test";
import { givenFields } from "../../src/admin/manage/resource.ts";
import { resources } from "../../src/admin/resources/resources.ts";
import { formFields } from "../../src/console/forms/form_spec.http.ts";
import { presentations } from "../../src/console/presentations/presentations.http.ts";
import { fieldsOf } from "../../src/records/definition/definition.ts";
import { knownMembersOf } from "../../src/records/formats/known_members.ts";

test("a form shows every field that can be set, except those that the presentation leaves out", () => {
  for (const resource of resources) {
    const { unasked = [], kept = [], destructive = [] } = presentations[resource.resourceType];
    const own_page = destructive.flatMap(({ field, with: beside = [] }) => [field, ...beside]);
    const view = Object.fromEntries(destructive.map((change) => [change.field, change.while]));
    const expected = (verb: "create" | "update", left: readonly string[]) =>
      givenFields(resource, verb)
        .flatMap(([name]) => [name, ...Object.keys(knownMembersOf(resource.table, name))])
        .filter((name) => name !== "id" && !left.includes(name))
        .toSorted();
    const requested = (form: ReturnType<typeof formFields>) => form.map(({ name }) => name).toSorted();
    assert.deepEqual(requested(formFields(resource, true)), expected("create", unasked), resource.noun);
    assert.deepEqual(
      requested(formFields(resource, true, { id: "", ...view })),
      expected("update", [...unasked, ...kept, ...own_page]),
      resource.noun,
    );
  }
});

test("a presentation names only fields of its records or additional fields of the API", () => {
  for (const { resourceType, table, input = {} } of resources) {
    const columnNames = Object.keys(fieldsOf(table));
    const members = columnNames.flatMap((column) => Object.keys(knownMembersOf(table, column)));
    const known = [...columnNames, ...members, ...Object.keys({ ...input.create, ...input.update })];
    const {
      groups = [],
      order = [],
      unasked = [],
      seldom = [],
      left_open = [],
      prefilled = [],
      kept = [],
      ...more
    } = presentations[resourceType];
    const { columns, named_by, proofs = {}, destructive = [], offered = {} } = more;
    const names = [
      ...groups.flatMap((group) => group.names),
      ...[order, unasked, seldom, left_open, prefilled, kept, columns, named_by].flat(),
      ...Object.entries(proofs).flat(),
      ...destructive.map(({ field }) => field),
      ...Object.keys(offered),
    ];
    for (const name of names) assert.ok(known.includes(name), `${resourceType}.${name}`);
  }
});
