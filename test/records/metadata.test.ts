import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { ownScopeDescription, scopeDescriptionErrors } from "../../src/records/formats/metadata.ts";

describe("the metadata field scope_descriptions", () => {
  const pathsOf = (input: unknown) => scopeDescriptionErrors(input).map(({ path }) => path);

  test("may contain texts by scope, or texts by scope and language", () => {
    for (const input of [
      undefined,
      {},
      { "orders:read": "See your orders" },
      { "orders:read": { en: "See your orders", "es-MX": "Ver tus pedidos", "zh-Hans": "查看您的订单" } },
      { a: "x".repeat(200), b: "🚪".repeat(200) },
    ])
      assert.deepEqual(pathsOf(input), []);
  });

  test("is refused otherwise, with each error at its own path", () => {
    const place = "/metadata/scope_descriptions";
    for (const [input, paths] of [
      ["See your orders", [place]],
      [null, [place]],
      [[], [place]],
      [{ a: "" }, [`${place}/a`]],
      [{ a: " " }, [`${place}/a`]],
      [{ a: "x".repeat(201) }, [`${place}/a`]],
      [{ a: "two\nlines" }, [`${place}/a`]],
      [{ a: "turned \u202earound" }, [`${place}/a`]],
      [{ a: 1, b: null, c: [] }, [`${place}/a`, `${place}/b`, `${place}/c`]],
      [{ "a/b~c": 1 }, [`${place}/a~1b~0c`]],
      [{ a: {} }, [`${place}/a`]],
      [{ a: { english: "x", e: "x" } }, [`${place}/a/english`, `${place}/a/e`]],
      [{ a: { en: "", es: { deep: "x" } } }, [`${place}/a/en`, `${place}/a/es`]],
    ] as const)
      assert.deepEqual(pathsOf(input), paths, JSON.stringify(input));
  });

  test("is read in the requested language, else in English, else in the first language given", () => {
    const said = (scope_descriptions: JsonObject, language: string, scope = "a") =>
      ownScopeDescription({ metadata: { scope_descriptions } }, scope, language);
    assert.deepEqual(said({ a: "One" }, "es"), { text: "One" });
    assert.deepEqual(said({ a: { en: "One", es: "Uno" } }, "es"), { text: "Uno", language: "es" });
    assert.deepEqual(said({ a: { "es-MX": "Uno", ES: "Una" } }, "es"), { text: "Una", language: "es" });
    assert.deepEqual(said({ a: { de: "Eins", "es-MX": "Uno" } }, "es"), { text: "Uno", language: "es" });
    assert.deepEqual(said({ a: { de: "Eins", en: "One" } }, "es"), { text: "One", language: "en" });
    assert.deepEqual(said({ a: { de: "Eins", fr: "Un" } }, "es"), { text: "Eins", language: "de" });
  });

  test("describes only the scopes that it names, and invalid entries are omitted", () => {
    const nothing: [JsonObject | null, string][] = [
      [null, "a"],
      [{}, "a"],
      [{ scope_descriptions: "a" }, "a"],
      [{ scope_descriptions: { b: "B" } }, "a"],
      [{ scope_descriptions: { b: "B" } }, "constructor"],
      [{ scope_descriptions: { a: "" } }, "a"],
      [{ scope_descriptions: { a: { en: 1, "not a tag": "A" } } }, "a"],
    ];
    for (const [metadata, scope] of nothing)
      assert.equal(ownScopeDescription({ metadata }, scope, "en"), undefined, JSON.stringify(metadata));
  });
});
