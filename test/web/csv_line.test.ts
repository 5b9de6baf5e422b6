import assert from "node:assert/strict";
import { test } from "node:test";
import { csvLine } from "../../src/web/csv_line.ts";

test("H-40: no CSV cell starts a formula, whether spreadsheets separate by comma, semicolon or tab", () => {
  for (const [value, cell] of [
    ["plain", "plain"],
    ["a, b", '"a, b"'],
    ['say "b"', '"say ""b"""'],
    ["=1+1", "'=1+1"],
    ["-5", "'-5"],
    [-5, "-5"],
    ["\uff1d1+1", "'\uff1d1+1"],
    ["\n=1", `"'\n'=1"`],
    ["x;=cmd|'/c calc'!A1", `"x;'=cmd|'/c calc'!A1"`],
    ['x; "=1', `"x; ""'=1"`],
    ["x\t@SUM(1)", `"x\t'@SUM(1)"`],
    ["a;b - c", '"a;b - c"'],
    [null, ""],
    [["=1"], `"[""=1""]"`],
  ] as const)
    assert.equal(csvLine([value, 1]), `${cell},1\r\n`, JSON.stringify(value));
});
