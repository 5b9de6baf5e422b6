import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { readAssets } from "../../src/web/assets.ts";
import { languages } from "../../src/web/words/language.ts";
import { inForm } from "../support/form.ts";
import { everyPage } from "./every_page.ts";
import { aReader } from "./reader.ts";
import { errorsWithoutScripts } from "./without_scripts.ts";

describe("pages without JavaScript", () => {
  for (const language of inForm(["en", "zh"] as const, languages)) {
    test(`every page in ${language} has its heading and its buttons, and no part that waits for a script`, () => {
      const pages = Object.entries(everyPage("Ada", "/assets/icon.svg", aReader(language)));
      assert.ok(pages.length > 100, `${pages.length} pages`);
      const errors = Object.fromEntries(
        pages.flatMap(([name, page]) => {
          const found = errorsWithoutScripts(page);
          return found.length === 0 ? [] : [[name, found]];
        }),
      );
      assert.deepEqual(errors, {});
    });
  }

  test("the check detects missing elements", () => {
    const faulty = `<!doctype html><h2>No heading</h2><form method="post" action="/a"><input name="a"></form>
<div hidden><p>Later</p></div><button type="button">Nothing</button><a href="#">Nowhere</a><noscript>No</noscript>`;
    const found = errorsWithoutScripts(faulty).join("\n");
    for (const error of [
      /0 headings/,
      /nothing sends/,
      /hidden: div/,
      /does nothing/,
      /to nowhere/,
      /asks for scripts/,
    ])
      assert.match(found, error);
    const whole = `<!doctype html><h1>Whole</h1><form method="post" action="/a"><button type="submit">Go</button></form>`;
    assert.deepEqual(errorsWithoutScripts(whole), []);
  });

  test("the style sheet hides nothing until a script runs", () => {
    const style = String(readAssets().find(({ path }) => path.endsWith("style.css"))?.body);
    const blocks = [...style.matchAll(/([^{}]+)\{([^{}]*(?:display: none|visibility: hidden)[^{}]*)\}/g)];
    const hides = blocks.map(([, selector = ""]) => selector.trim().split("\n").at(-1) ?? "");
    assert.ok(hides.length > 0);
    for (const selector of hides) assert.doesNotMatch(selector, /\.(?:js|no-js|scripts?|ready)\b|\[data-/);
  });
});
