import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  identifierKey,
  identifierReason,
  isBelow,
  keysAbove,
} from "../../src/records/names/resource_identifiers.ts";
import { assertLinear } from "../support/growth.ts";

/** Segments that the URL Standard treats as one or two dots. */
const dots = [".", "%2e", "%2E", "..", ".%2e", "%2e.", "%2E%2e"];

describe("resource identifiers of APIs", () => {
  test("PR-6: a path below an API's identifier stays below it for every URI parser", () => {
    const above = "https://api.example/acme";
    for (const segment of dots)
      for (const path of [`${segment}/beta`, `orders/${segment}/${segment}/beta`, `orders/${segment}`]) {
        const identifier = `${above}/${path}`;
        const key = identifierKey(identifier);
        if (key === undefined) continue;
        assert.equal(isBelow(key, above), isBelow(new URL(identifier).href, above), identifier);
      }
  });

  test("PR-6: identifiers with encoded dot segments are refused, and other encodings stay unchanged", () => {
    for (const segment of dots.filter((each) => each.includes("%"))) {
      assert.ok(identifierReason(`https://api.example/acme/${segment}/beta`), segment);
      assert.ok(identifierReason(`https://api.example/${segment}`), segment);
    }
    for (const path of ["a%2eb", "...", "%2e%2e%2e", "v1.2", "..;", "%2F"])
      assert.equal(identifierReason(`https://api.example/acme/${path}`), undefined, path);
    assert.equal(identifierKey("https://api.example/a/../b%2f"), "https://api.example/b%2F");
  });
});

test("the keys above a key are those that it is below, shortest first and of limited number", () => {
  const expected = {
    "https://a.example/b/c": [
      "https",
      "https://",
      "https://a.example",
      "https://a.example/",
      "https://a.example/b",
      "https://a.example/b/",
    ],
    "https://a.example/b?c=/d": ["https", "https://", "https://a.example", "https://a.example/"],
    "urn:a:b:c": ["urn", "urn:a", "urn:a:b"],
    "urn:a": ["urn"],
  };
  for (const [key, above] of Object.entries(expected)) {
    assert.deepEqual(keysAbove(key), above);
    const prefixes = Array.from(key, (_, end) => key.slice(0, end));
    assert.deepEqual(
      above,
      prefixes.filter((prefix) => isBelow(key, prefix)),
    );
  }
  assert.equal(keysAbove(`https://a.example/${"b/".repeat(900)}`).length, 100);
});

test("the keys above a long key are found in linear time", () => {
  for (const begin of ["https://a.example/", "https://a.example/?", "urn:a"])
    assertLinear((size) => keysAbove(begin + "b/".repeat(size)), 1000, begin);
});
