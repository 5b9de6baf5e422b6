import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { brandErrors, brandOf } from "../../src/records/formats/brand.ts";
import { checkNew } from "../../src/records/formats/check.ts";

const whole = { accent: "#0E6655", logo_url: "https://a.example/logo.svg", name: "Acme" };

describe("the brand in the settings of an organization", () => {
  test("is valid if absent, complete or partial, whatever else the settings contain", () => {
    for (const settings of [
      null,
      undefined,
      {},
      { brand: {} },
      { brand: whole },
      { brand: { name: "A" }, theme: 1 },
    ])
      assert.deepEqual(brandErrors(settings), []);
  });

  const wrong: [unknown, string][] = [
    ["blue", "/settings/brand"],
    [null, "/settings/brand"],
    [["#0e6655"], "/settings/brand"],
    [{ accent: "red" }, "/settings/brand/accent"],
    [{ accent: "#0e66" }, "/settings/brand/accent"],
    [{ accent: "#0e6655;}body{display:none" }, "/settings/brand/accent"],
    [{ accent: "#0e6655\n" }, "/settings/brand/accent"],
    [{ accent: 5 }, "/settings/brand/accent"],
    [{ logo_url: "http://a.example/logo.svg" }, "/settings/brand/logo_url"],
    [{ logo_url: "javascript:alert(1)" }, "/settings/brand/logo_url"],
    [{ logo_url: "https://user:word@a.example/" }, "/settings/brand/logo_url"],
    [{ logo_url: `https://a.example/${"a".repeat(2048)}` }, "/settings/brand/logo_url"],
    [{ logo_url: "data:image/svg+xml;base64,PHN2Zy8+" }, "/settings/brand/logo_url"],
    [{ logo_url: "data:text/html;base64,PHN2Zy8+" }, "/settings/brand/logo_url"],
    [{ logo_url: `data:image/png;base64,${"a".repeat(8192)}` }, "/settings/brand/logo_url"],
    [{ name: " " }, "/settings/brand/name"],
    [{ name: "a".repeat(101) }, "/settings/brand/name"],
    [{ colour: "#0e6655" }, "/settings/brand/colour"],
    [{ constructor: "#0e6655" }, "/settings/brand/constructor"],
  ];
  for (const [brand, path] of wrong)
    test(`with an invalid field is refused by its path: ${JSON.stringify(brand).slice(0, 60)}`, () => {
      const { errors } = checkNew("organizations", { name: "Acme", slug: "acme", settings: { brand } });
      assert.deepEqual(
        errors.map((error) => error.path).filter((each) => each.startsWith("/settings")),
        [path],
      );
    });

  test("is read without its invalid fields", () => {
    assert.deepEqual(brandOf({ settings: { brand: whole } }), whole);
    assert.deepEqual(brandOf({ settings: { brand: { accent: "red", name: "Acme" } } }), { name: "Acme" });
    for (const settings of [null, {}, { brand: {} }, { brand: "blue" }, { brand: { accent: "red" } }])
      assert.equal(brandOf({ settings }), undefined);
  });
});
