import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { html } from "../../src/web/html/html.ts";
import { aboutLanguage, languages } from "../../src/web/words/language.ts";
import { pluralsOf } from "../../src/web/words/parts/plural.ts";
import type { Words } from "../../src/web/words/words.ts";
import { wordsOf } from "../../src/web/words/words.ts";

for (const language of languages) {
  test(`${language} has every plural form that its rules require`, async () => {
    const { tag } = aboutLanguage(language);
    const { categories } = await import(`../../src/web/words/${language}/plural.ts`);
    assert.deepEqual(
      [...categories].sort(),
      new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort(),
    );
  });
}

test("a message with a count follows each language's plural rules", () => {
  const permissions = (count: number) =>
    (["en", "es", "zh"] as const).map((language) => wordsOf(language).belongings.keys.scopeCount(count));
  assert.deepEqual(permissions(1), ["1 scope", "1 permiso", "1 项权限"]);
  assert.deepEqual(permissions(12_345), ["12,345 scopes", "12.345 permisos", "12,345 项权限"]);
  assert.deepEqual(permissions(2_000_000)[1], "2.000.000 de permisos");
});

test("English uses ordinal numbers for the position where two texts differ", () => {
  const { differsFrom } = wordsOf("en").refusal;
  assert.deepEqual(
    [1, 2, 3, 4, 11, 12, 13, 21, 102].map((position) => /\d+\w+/.exec(differsFrom(position))?.[0]),
    ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd"],
  );
});

describe("a language with three plural forms", () => {
  // Words of an invented language with the plural rules of Croatian.
  const plural = pluralsOf("hr", ["one", "few", "other"]);
  const tree = plural({
    one: (figure) => `${figure} bim`,
    few: (figure) => `${figure} bime`,
    other: (figure) => `${figure} bimu`,
  });

  test("gets the form that its rules select for each number", () => {
    assert.deepEqual(
      [1, 2, 4, 5, 11, 12, 21, 22, 101, 1000].map((count) => tree(count)),
      [
        ...["1 bim", "2 bime", "4 bime", "5 bimu", "11 bimu", "12 bimu", "21 bim", "22 bime", "101 bim"],
        ...["1.000 bimu"],
      ],
    );
  });

  test("gets the form of the number counted if a message has several", () => {
    assert.equal(tree(1002, "po 1002"), "po 1002 bime");
  });

  test("has a text for every message with a number", () => {
    const ours: Words["belongings"]["keys"] = { ...wordsOf("en").belongings.keys, scopeCount: tree };
    assert.equal(String(html`<b>${ours.scopeCount(3)}</b>`), "<b>3 bime</b>");
  });

  test("does not compile if one of the forms is missing", () => {
    // @ts-expect-error: `few` is missing
    const lacking = plural({ one: (figure) => figure, other: (figure) => figure });
    assert.throws(() => lacking(2), TypeError);
  });
});
