/** What the formatter does not hold: the width of comments, and the words that the glossary avoids. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "..");

/** Columns, those of the formatter. */
const width = 110;

/** Generated from the OpenAPI document. */
const generated = "test/http/api/types.ts";

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|js|css)$/.test(name))
    .map((name) => `${folder}/${name}`)
    .filter((path) => path !== generated);
}

const isComment = /^\s*(\/\/|\/\*|\* )/;

/** Identifiers that once stood where the field has a word of its own (docs/glossary.md). */
const oldNames = [
  "clientStands",
  "appStands",
  "sessionStands",
  "standingUser",
  "heldIn",
  "heldAnywhere",
  "roleGrants",
  "ownGrants",
  "machineGrants",
  "touched",
  "consequencesOf",
  "demandStanding",
  "placeOfRow",
  "placeOf",
  "placeOfNew",
  "unsaid",
  "clientOfNone",
  "withoutUser",
  "noUserHere",
  "isUnassured",
  "isAnybodys",
  "sendTogether",
  "comeBack",
  "askAsMachine",
  "noteUse",
  "noteEvent",
  "noteCount",
  "careful",
];

describe("the prose of the sources", () => {
  for (const folder of ["src", "test", "bench"]) {
    test(`comments in ${folder} are within the width of the formatter`, () => {
      const long = sources(folder).flatMap((path) =>
        readFileSync(join(root, path), "utf8")
          .split("\n")
          .flatMap((line, at) => (isComment.test(line) && line.length > width ? [`${path}:${at + 1}`] : [])),
      );
      assert.deepEqual(long, []);
    });
  }

  test("no source uses a name that the glossary gave up", () => {
    const old = new RegExp(`\\b(${oldNames.join("|")})\\b`);
    const found = sources("src").flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, at) =>
          !isComment.test(line) && old.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [],
        ),
    );
    assert.deepEqual(found, []);
  });
});
