import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { deepestJson, readJson } from "../../../src/api/json.ts";
import { Problem } from "../../../src/errors.ts";
import { assertLinear } from "../../support/growth.ts";

const read = (text: string) => readJson(Buffer.from(text)).value;

function refusalOf(bytes: string | Uint8Array): Problem {
  try {
    readJson(Buffer.from(bytes));
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.status, 400);
    assert.equal(error.code, "invalid_json");
    return error;
  }
  throw new Error(`was taken: ${bytes}`);
}

const pathsOf = (text: string) => refusalOf(text).errors.map(({ path }) => path);

describe("JSON as the management API reads it", () => {
  test("any object from JSON.stringify is read unchanged", () => {
    const value = fc.dictionary(
      fc.string({ unit: "grapheme" }).filter((name) => name !== "__proto__" && !name.includes("\0")),
      fc.jsonValue({ maxDepth: 5, noUnicodeString: false }).filter((json) => {
        const text = JSON.stringify(json);
        return !/\\u0000|\\ud[89a-f]|__proto__|-?\d{16}/.test(text);
      }),
    );
    fc.assert(
      fc.property(value, (object) => {
        const text = JSON.stringify(object);
        assert.equal(JSON.stringify(read(text)), text);
      }),
    );
  });

  test("a repeated field is refused with its path, at any depth and in any spelling", () => {
    assert.deepEqual(pathsOf('{"a":1,"b":{"c":[{"d":1,"\\u0064":2}]},"a":2}'), ["/b/c/0/d", "/a"]);
    assert.deepEqual(pathsOf('{"x~y/z":1,"x~y/z":2}'), ["/x~0y~1z"]);
    // The same name in two objects, or as a value, is not a repetition.
    assert.deepEqual(read('{"a":{"a":"a"},"b":["a","a"]}'), { a: { a: "a" }, b: ["a", "a"] });
  });

  test("L-14: __proto__ is not allowed as a field name", () => {
    assert.deepEqual(pathsOf('{"__proto__":{"is_platform_admin":true}}'), ["/__proto__"]);
    assert.deepEqual(pathsOf('{"metadata":[{"\\u005f_proto__":1}]}'), ["/metadata/0/__proto__"]);
    assert.deepEqual(read('{"constructor":"__proto__"}'), { constructor: "__proto__" });
  });

  test("text that databases cannot store, and numbers that would lose precision, are refused", () => {
    const text =
      '{"a":"\\u0000","b":["\\ud800"],"c":1e400,"d":9007199254740993,"e":"\\ud83d\\ude00","f":-0.5e-3}';
    assert.deepEqual(pathsOf(text), ["/a", "/b/0", "/c", "/d"]);
    assert.deepEqual(pathsOf('{"\\ud800":1}'), ["/�"]);
    assert.deepEqual(read('{"a":9007199254740991}'), { a: 9007199254740991 });
  });

  test("depth is limited, and a body of nothing but brackets is refused immediately", () => {
    const nested = (levels: number) => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    assert.ok(read(nested(deepestJson)));
    refusalOf(nested(deepestJson + 1));
    refusalOf(`{"a":${"[".repeat(60_000)}`);
    assertLinear((size) => refusalOf('\\"'.repeat(size)), 16_000);
    assertLinear((size) => refusalOf(`{"a":"${'\\"'.repeat(size)}`), 15_000);
  });

  test("a body must be a JSON object in UTF-8 without a byte order mark", () => {
    for (const text of ["", "[]", "null", '"a"', "1", "{", '{"a":1}x', "{'a':1}", '{"a":01}', "﻿{}"])
      refusalOf(text);
    refusalOf(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
  });

  test("any input is either read or refused with 400", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readJson(bytes);
        } catch (error) {
          assert.ok(error instanceof Problem && error.status === 400, String(error));
        }
      }),
    );
  });
});
