import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { OAuthError } from "../../src/errors.ts";
import { readForm, refuseRepeated, required } from "../../src/oauth/core/params.ts";
import { codePoint } from "../support/code_point.ts";
import { listed } from "../support/listed.ts";

const refused = { name: "OAuthError", code: "invalid_request" };

/** Text that a form preserves: no NUL, no half of a surrogate pair. */
const text = fc.string({ unit: codePoint, maxLength: 20 }).filter((value) => !value.includes("\0"));

describe("reading the parameters of a request", () => {
  test("A-15: any parameters written as a form are read unchanged and in order", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { maxLength: 20 }), (pairs) => {
        const form = new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();
        assert.deepEqual(readForm(form).pairs, pairs);
      }),
    );
  });

  test("T-5: any text read as a form is accepted or refused with invalid_request", () => {
    const piece = fc.oneof(
      fc.string({ unit: codePoint, maxLength: 12 }),
      fc.constantFrom("&", "=", "%", "%0", "%00", "%FF", "%C3%28", "+", "__proto__", "a=1&a=2"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        try {
          const params = readForm(pieces.join(""));
          params.get("__proto__");
          refuseRepeated(params);
        } catch (error) {
          assert.ok(error instanceof OAuthError);
          assert.equal(error.code, "invalid_request");
        }
      }),
    );
  });

  test("A-12: a parameter without a value counts as omitted", () => {
    for (const form of ["scope=", "scope", "=&scope=", "other=1"]) {
      assert.equal(readForm(form).get("scope"), undefined, form);
      assert.throws(() => required(readForm(form), "scope"), { ...refused, message: /scope is missing/ });
    }
  });

  test("A-11: a request with a repeated parameter is refused with its name, and no value of it is used", () => {
    for (const form of ["a=1&a=2", "a=1&a=1", "a=&a=1", "a=1&a", "a&a", "%61=1&a=2"]) {
      const params = readForm(form);
      assert.equal(params.get("a"), undefined, form);
      assert.throws(() => refuseRepeated(params), { ...refused, message: /parameter a must/ }, form);
    }
  });

  test("A-11: only the parameter resource may be repeated", () => {
    const params = readForm("resource=https://a.example&resource=https://b.example&resource=");
    refuseRepeated(params);
    assert.deepEqual(params.all("resource"), ["https://a.example", "https://b.example"]);
  });

  test("the error quotes only the beginning of a repeated name", () => {
    const name = "n".repeat(5000);
    assert.throws(
      () => refuseRepeated(readForm(`${name}=1&${name}=2`)),
      (error: Error) => error.message.length < 120,
    );
  });

  test("names like __proto__ are ordinary parameters", () => {
    const params = readForm("__proto__=1&constructor=2");
    assert.equal(params.get("__proto__"), "1");
    assert.equal(params.get("constructor"), "2");
    assert.equal(params.get("toString"), undefined);
    assert.equal(params.repeated, undefined);
  });

  test("T-5: broken percent-encoding, broken UTF-8 and NUL are refused, in names and in values", () => {
    for (const form of listed`a=% a=%zz %=1 a=%FF a=%C3%28 a=%ED%A0%80 a=%00 %00=1 a=\0`) {
      assert.throws(() => readForm(form), refused, JSON.stringify(form));
    }
  });

  test("T-5: a hundred parameters are accepted, and one more is refused", () => {
    const form = (count: number) => Array.from({ length: count }, (_, index) => `p${index}=x`).join("&");
    assert.equal(readForm(form(100)).pairs.length, 100);
    assert.throws(() => readForm(form(101)), refused);
  });

  test("a plus is read as a space, and only the first equals sign separates name and value", () => {
    const params = readForm("a=b+c%2Bd&e==f=&&g=%26");
    assert.deepEqual(params.pairs, [
      ["a", "b c+d"],
      ["e", "=f="],
      ["g", "&"],
    ]);
  });
});
