/** What the formatter does not hold: the width of comments, and the words that the glossary avoids. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

const root = join(import.meta.dirname, "..");

/** Columns, those of the formatter. */
const width = 110;

/** Generated from the OpenAPI document. */
const generated = "src/client/generated/";

function sources(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(ts|js|css)$/.test(name) && !name.includes("node_modules"))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !path.startsWith(generated));
}

const isComment = /^\s*(\/\/|\/\*|\* )/;

/** Words. The aim is 25 (docs/glossary.md); a sentence that lists needs more. */
const longestSentence = 40;

/** The sentences of the comments of a source, each with the path and line of the comment that it is in. */
function sentences(path: string): [place: string, sentence: string][] {
  const found: [string, string][] = [];
  let text = "";
  let place = "";
  const end = () => {
    for (const sentence of text.split(/(?<=[.!?])\s+(?=[A-Z`(\d])/)) found.push([place, sentence]);
    text = "";
  };
  for (const [at, line] of readFileSync(join(root, path), "utf8").split("\n").entries()) {
    const said = /^\s*(?:\/\/|\/\*\*?|\*(?!\/))(?<said>.*)$/
      .exec(line)
      ?.groups?.said?.replace("*/", "")
      .trim();
    if (!said || /^(?:- |\d+\. |@)/.test(said) || /^\s*\/\*/.test(line)) end();
    if (!said) continue;
    if (text === "") place = `${path}:${at + 1}`;
    text += ` ${said}`;
  }
  end();
  return found;
}

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
  "endedSince",
  "keyStands",
  "standingAccount",
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
  "authority",
  "visitor",
  "liveToken",
  "liveApiKey",
  "noteRefusal",
  "InviterStands",
  "inviterStands",
  "standingConsent",
  "recoveryCodeMail",
  "foundOnce",
  "patience",
];

describe("the prose of the sources", () => {
  for (const folder of ["src", "test", "bench", "examples"]) {
    test(`comments in ${folder} are within the width of the formatter`, () => {
      const long = sources(folder).flatMap((path) =>
        readFileSync(join(root, path), "utf8")
          .split("\n")
          .flatMap((line, at) => (isComment.test(line) && line.length > width ? [`${path}:${at + 1}`] : [])),
      );
      assert.deepEqual(long, []);
    });
  }

  test(`no sentence of a comment in src is longer than ${longestSentence} words`, () => {
    const all = sources("src").flatMap(sentences);
    assert.ok(all.length > 2000);
    assert.deepEqual(
      all.filter(([, sentence]) => sentence.trim().split(/\s+/).length > longestSentence),
      [],
    );
  });

  test("no comment and no word of a page in src says whoever: the field has a noun for them", () => {
    assert.deepEqual(
      sources("src").filter((path) => /\bwhoever\b/i.test(readFileSync(join(root, path), "utf8"))),
      [],
    );
  });

  test("no source uses a name that the glossary gave up", () => {
    const old = new RegExp(`\\b(${oldNames.join("|")})\\b`);
    // Quickstarts use the names of other libraries.
    const own = sources("src").filter((path) => !path.startsWith("src/web/quickstarts/"));
    const found = own.flatMap((path) =>
      readFileSync(join(root, path), "utf8")
        .split("\n")
        .flatMap((line, at) =>
          !isComment.test(line) && old.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [],
        ),
    );
    assert.deepEqual(found, []);
  });
});
