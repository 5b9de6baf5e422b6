import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ImportFault } from "../../src/moving_in/core/import_fault.ts";
import { recordsOf } from "../../src/moving_in/core/records_of.ts";

async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function found(text: string, arrays: readonly string[] = [], length = 1) {
  const all: unknown[] = [];
  for await (const each of recordsOf(inPieces(text, length), arrays))
    all.push([each.is_document ? "document" : each.at, each.line, each.value()]);
  return all;
}

describe("reading the records of an export file", () => {
  const text = `{"before": [1, {"users": [9]}], "users": [
 {"name": "a \\" ] , } b", "list": [1, [2]]},
 "text, with comma", 12 , null, [3]
], "after": {"users": "no array"}, "orgs": [{"id": "o", "humans": [{"x": 1}]}, {"humans": []}]}`;

  test("elements of named arrays are read one by one, and the rest of the document without them", async () => {
    for (const length of [1, 2, 3, 7, 1000])
      assert.deepEqual(await found(text, ["users", "orgs/*/humans"], length), [
        ["users", 2, { name: 'a " ] , } b', list: [1, [2]] }],
        ["users", 3, "text, with comma"],
        ["users", 3, 12],
        ["users", 3, null],
        ["users", 3, [3]],
        ["orgs/0/humans", 4, { x: 1 }],
        [
          "document",
          1,
          {
            before: [1, { users: [9] }],
            users: [],
            after: { users: "no array" },
            orgs: [{ id: "o", humans: [] }, { humans: [] }],
          },
        ],
      ]);
  });

  test("JSON lines and a top-level array are read one element at a time", async () => {
    assert.deepEqual(await found('{"a":1}\n\n{"a":2}\n'), [
      ["document", 1, { a: 1 }],
      ["document", 3, { a: 2 }],
    ]);
    assert.deepEqual(await found('\uFEFF [ {"a":1},\n{"a":2} ]'), [
      ["", 1, { a: 1 }],
      ["", 2, { a: 2 }],
    ]);
  });

  test("CSV files may contain quoted cells, line breaks in cells and semicolons as separators", async () => {
    const rows = 'name;note\r\n"a;""b""";"two\nlines"\r\nc;\r\n\r\nd;last';
    assert.deepEqual(await found(rows), [
      ["", 2, { name: 'a;"b"', note: "two\nlines" }],
      ["", 4, { name: "c", note: "" }],
      ["", 6, { name: "d", note: "last" }],
    ]);
    const plain = "a,b;c\n1,2;3";
    assert.deepEqual(await found(plain), [["", 2, { a: "1", "b;c": "2;3" }]]);
  });

  test("MG-8 field names such as __proto__ are ordinary names", async () => {
    const first = (await found('[{"__proto__": {"admin": true}, "constructor": 1}]'))[0] as unknown[];
    assert.deepEqual(Object.keys(first[2] as object), ["__proto__", "constructor"]);
    assert.equal(({} as Record<string, unknown>).admin, undefined);
    const row = (await found("__proto__,toString\n1,2"))[0] as unknown[];
    assert.deepEqual(Object.keys(row[2] as object), ["__proto__", "toString"]);
  });

  test("MG-8 an invalid file is refused with the line number, without quoting it", async () => {
    const secret = "marker-of-a-secret";
    const broken: readonly (readonly [text: string, line: number])[] = [
      [`{"users": [\n{"password": "${secret}"},\n{"password": "${secret}" oops}\n]}`, 3],
      [`{"users": [\n{"password": "${secret}`, 2],
      [`[{"password": "${secret}"}]]`, 1],
      [`[{"password": "${secret}"}], {}`, 1],
      [`[{"a": [1, 2}, "${secret}"]`, 1],
      [`[1]\n${secret}`, 2],
      [`a,b\n1,"${secret}\n`, 3],
      [`a,b\n1,"${secret}"x\n`, 2],
      [`a,b\n1,${secret}"\n`, 2],
      [`a,b\n${secret}\n`, 2],
      [`${secret},${secret}\n`, 1],
      [`[${"[".repeat(100)}`, 1],
      [`[\n"${"x".repeat(2 ** 20)}${secret}"]`, 2],
      [`a,b\n1,2\n${"x".repeat(2 ** 20)}${secret},1`, 3],
      [`{"other": "${"x".repeat(2 ** 25)}${secret}"}`, 1],
    ];
    for (const [whole, line] of broken)
      await assert.rejects(found(whole, ["users"], 100_000), (error: Error) => {
        assert.ok(error instanceof ImportFault, error.message);
        assert.equal(error.line, line, error.message);
        assert.ok(!error.message.includes("marker"), error.message);
        return true;
      });
  });
});
