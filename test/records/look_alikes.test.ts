import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isDeceptiveName, isMistakable, skeletonOf } from "../../src/records/names/look_alikes.ts";
import { codePoint } from "../support/code_point.ts";

/** Spellings of "Postern Login" that a reader mistakes for it. */
const lookAlikes = [
  "postern login",
  "POSTERN LOGIN",
  "PosternLogin",
  "Postern-Login!",
  "Postem Login",
  "P0stern L0gin",
  "Postern Log1n",
  "Postern | Login",
  "Postern|Login",
  "Póstërn Lögin",
  "Р\u043estern Login",
  "\u03a1\u039fS\u03a4\u0395RN LOGIN",
  "\u13e2ostern Login",
  "\ua4d1ostern Login",
  "Po\u0455tern Login",
  "Postern Lo\u0261in",
  "Postern Log\u0131n",
  "\uff30\uff4f\uff53\uff54\uff45\uff52\uff4e Login",
  "\u{1d413}\u{1d428}".replace("\u{1d413}\u{1d428}", "\u{1d40f}\u{1d428}stern Login"),
  "Pos\u200btern Login",
  "Pos\u00adtern Login",
  "Postern\u2060 Login",
  "\u202ePostern Login",
  "Postern\u3164Login",
];

const others = ["Postman Login", "Pastern Login", "Postern", "Login", "Orders", "Harbour", "日本語", "Почта"];

describe("names that look alike", () => {
  test("PR-11: names that differ in case, script, digits, accents or invisible characters have one skeleton", () => {
    for (const name of lookAlikes) assert.equal(skeletonOf(name), skeletonOf("Postern Login"), name);
    for (const name of others) assert.notEqual(skeletonOf(name), skeletonOf("Postern Login"), name);
    const known = new Set(["Postern Login", "Orders"].map(skeletonOf));
    for (const name of [...lookAlikes, "P0$tern L0g!n", "Postern |ogin", "0rder$"])
      assert.equal(isMistakable(name, known), true, name);
    for (const name of ["Order", "Postern Logins", "$", "日本語"])
      assert.equal(isMistakable(name, known), false, name);
    // Names written entirely in another script are detected as well.
    assert.equal(skeletonOf("\u0421\u0430\u0440\u0435"), skeletonOf("Cape"));
    assert.equal(skeletonOf("\u0430\u0440\u0440\u04cf\u0435"), skeletonOf("apple"));
  });

  test("PR-11: deceptive names are recognized, and natural names in any script are not", () => {
    for (const name of [
      "P\u0430stern",
      "Goo\u0261le \u0430pp",
      "\u202eevil",
      "a\u2066b\u2069",
      "Pos\u200btern",
      "Pos\u00adtern",
      "a\u0000b",
      "a\u2028b",
      "Z\u0300\u0301\u0302\u0303\u0304algo",
      "\u13e2\u13be\u13da",
      "\ue000",
      "Acme\u3164",
      "A\u200dcme",
    ])
      assert.equal(isDeceptiveName(name), true, JSON.stringify(name));
    for (const name of [
      "Claude Code",
      "VS Code 中文版",
      "日本語アプリ",
      "カタカナ API",
      "한국어 앱",
      "Почта Google",
      "Ελληνικά",
      "עברית",
      "العربية",
      "می\u200cخواهم",
      "हिन्दी ऐप",
      "ไทยแอป",
      "naïve café",
      "Łódź 3000",
      "O’Reilly & Sons",
      "👩\u200d💻 Dev ⚙\ufe0f",
      "",
    ])
      assert.equal(isDeceptiveName(name), false, name);
  });

  test("PR-11: a skeleton has only letters and digits, and accents and spaces do not change it", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), fc.nat(), (name, at) => {
        const skeleton = skeletonOf(name);
        assert.match(skeleton, /^[\p{L}\p{N}]*$/u);
        const characters = [...name.normalize("NFKD")];
        const place = at % (characters.length + 1);
        const dotted = [...characters.slice(0, place), " \u200b", ...characters.slice(place)].join("");
        assert.equal(skeletonOf(dotted), skeleton);
        assert.equal(typeof isDeceptiveName(name), "boolean");
      }),
      { numRuns: 200 },
    );
  });
});
