import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { faultText } from "../../src/web/words/faults.ts";
import { languages } from "../../src/web/words/language.ts";

const source = new URL("../../src/", import.meta.url);

/**
 * Where the rules are that a form can break. The manifest is for files, filters are chosen on the page, and
 * who asks by the API has no form.
 */
const ruleFiles = [
  "records/brand.ts",
  "records/check.ts",
  "records/metadata.ts",
  "records/redirect_uris.ts",
  "crypto/password_rules.ts",
  "crypto/public_keys.ts",
  ...readdirSync(new URL("admin/", source), { recursive: true, encoding: "utf8" })
    .filter(
      (file) => file.endsWith(".ts") && !/manifest|export|idempotency|inspect_token|ask_to_join/.test(file),
    )
    .map((file) => `admin/${file}`),
];

/** The sentences that the rules say, with a mark where something is put in. */
function sentences(): string[] {
  const found = ruleFiles.flatMap((file) => {
    const text = readFileSync(new URL(file, source), "utf8");
    return [
      ...text.matchAll(
        /(?:"((?:must|is|was|of|a platform|cannot|nobody|only a|would) [^"\n]{3,})"|`((?:must|is|cannot|nobody|only a|would) [^`\n]{3,})`)/g,
      ),
    ].map(([, plain, template]) => (plain ?? template ?? "").replaceAll(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "7"));
  });
  return [...new Set(found)];
}

/** Words for programs and files, which no form leads to. */
const notOfForms = [
  "is no filter of this list; there are 7",
  "is no parameter of a deletion",
  "must be 32 bytes",
  "is given by name, as 7",
  "must be the 7 of a 7",
];

describe("the sentences of the records' rules", () => {
  test("are found where they are said", () => assert.ok(sentences().length > 60, String(sentences().length)));

  for (const language of languages) {
    test(`have words in ${language}`, () => {
      const missing = sentences().filter(
        (sentence) => !notOfForms.includes(sentence) && faultText(sentence, language) === undefined,
      );
      assert.deepEqual(missing, []);
    });
  }

  test("keep the line or the member that they begin with", () => {
    assert.equal(faultText("2: must be an object", "es"), "2: debe ser un objeto");
    assert.equal(faultText("metadata.resource: is taken", "zh"), "metadata.resource: 已被占用");
    assert.equal(faultText("2: nobody says this", "es"), undefined);
  });

  test("keep what is put into them, in its order", () => {
    assert.equal(
      faultText("must have 2048 bits or more; this key has 1024", "es"),
      "debe tener 2048 bits o más; esta clave tiene 1024",
    );
    assert.equal(faultText("must be one of web, native", "zh"), "必须是以下之一：web, native");
    assert.equal(faultText("must be one of web, native", "en"), "must be one of web, native");
  });

  test("that nobody translated are answered as such", () => {
    assert.equal(faultText("must be a teapot", "es"), undefined);
  });
});
