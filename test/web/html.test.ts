import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import fc from "fast-check";
import { html, type Printable } from "../../src/web/html/html.ts";
import { codePoint } from "../support/code_point.ts";
import { readHtml } from "./read_html.ts";

describe("the html template function", () => {
  test("escapes exactly the five special characters of HTML", () => {
    assert.equal(String(html`<p>${`a&b<c>d"e'f ü 🚪`}</p>`), "<p>a&amp;b&lt;c&gt;d&quot;e&#39;f ü 🚪</p>");
  });

  test("inserts markup from the template and lists of it unchanged, and escapes only once", () => {
    const items = ["<a>", "&amp;"].map((word) => html`<li>${word}</li>`);
    assert.equal(String(html`<ul>${items}</ul>`), "<ul><li>&lt;a&gt;</li><li>&amp;amp;</li></ul>");
  });

  test("prints numbers, and nothing for undefined, null and booleans", () => {
    assert.equal(String(html`${0}|${-1.5}|${undefined}${null}${false}${true}|`), "0|-1.5||");
  });

  test("accepts only values from the template as markup", () => {
    const forged = { isEscaped: true, toString: () => "<script>" } as unknown as Printable;
    assert.equal(String(html`${forged}`), "");
  });

  test("preserves any text exactly, in content and in an attribute", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        const { tags } = readHtml(String(html`<input value="${text}">`));
        assert.equal(tags[0]?.attributes.get("value"), text);
        assert.doesNotMatch(String(html`${text}`), /[<>"']/);
      }),
    );
  });

  test("is used only between quotes wherever the sources insert an attribute's value", () => {
    const folder = new URL("../../src/", import.meta.url);
    const views = /^web[/\\][^/\\]*\.ts$|\.(?:page|pages|card|mail|view)\.ts$/;
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      views.test(file),
    );
    assert.ok(files.length > 100);
    for (const name of files) {
      assert.doesNotMatch(readFileSync(new URL(name, folder), "utf8"), /\s[a-z-]+='?\$\{/, name);
    }
  });
});
