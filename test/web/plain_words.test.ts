/**
 * Words that make the English of pages and commands read as translated, each with what to say in their place.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const folders = ["src/web/words/en", "src/cli", "src/cli/mcp", "src/config"];

/** Decision 87 has the reasons. */
const avoided: readonly [pattern: RegExp, instead: string][] = [
  [/\bso that\b/i, "so"],
  [/\bleft (empty|open)\b/i, "leave empty to …"],
  [/\bto a line\b/i, "per line"],
  [/\btak(e|en|es)\b( \w+){0,4} away\b/i, "remove, clear"],
  [/\bworks? no more\b|\b(does|do|is|are) not\b( \w+){0,3} any more\b/i, "no longer …, has expired"],
  [/\bmend\b(?!:)/i, "fix"],
  [/\bgo together\b/i, "wrong"],
  [/\bguessed first\b/i, "too common"],
  [/\b(done|finished) its work\b/i, "was used"],
  [/\bkeep it"/i, "Cancel, on the button that changes nothing"],
  [/\bstands? (in|on|for|here|there|twice)\b/i, "is in, belongs to, means"],
  [/\ball the same\b|\bin silence\b|\bon the way\b/i, "but; ignored; on the network path"],
  [
    /\bmake (a|an|the|another|other|new) (\w+ )?(account|administrator|app|codes?|key|link|one|secret)\b(?! public)/i,
    "create",
  ],
  [/["`](it was|it is) (created|deleted|revoked|saved|switched \w+)\b/i, "the thing by its name"],
  [/\byours to (give|do|make|change)\b/i, "you can't …"],
  [/\bnobody \w+s (it|them)sel(f|ves)\b/i, "you can't …"],
  [/\bas far as you (may|can)\b/i, "with your permissions"],
  [/\banew\b/i, "again"],
  [/"(give|write) (a|an|your|the) /i, "enter"],
  [/\bnot as it (should|must) be\b.*\.["`]/i, "what is wrong"],
  [/\blook (into|where)\b/i, "check"],
  [/\bwhen absent\b/i, "without it"],
  [/\bat once and for good\b/i, "immediately and permanently"],
  [/\b(is|are) there already\b/i, "already exists"],
  [/\bwould have to take you\b|\bare dead\b|\bis alive\b|\btokens live\b/i, "active, lifetime"],
];

test("the English of pages and commands has the words of the field, verbs first and no aphorisms", () => {
  const files = folders.flatMap((folder) =>
    readdirSync(new URL(`../../${folder}/`, import.meta.url))
      .filter((name) => name.endsWith(".ts"))
      .map((name) => `${folder}/${name}`),
  );
  assert.ok(files.length > 130);
  const found = files.flatMap((file) =>
    readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
      .split("\n")
      .flatMap((line, at) => {
        if (/^\s*(\/\/|\/\*|\*)/.test(line) || !/["`]/.test(line)) return [];
        return avoided.flatMap(([pattern, instead]) =>
          pattern.test(line) ? [`${file}:${at + 1}: ${line.trim()} – say: ${instead}`] : [],
        );
      }),
  );
  assert.deepEqual(found, []);
});

test("each of the avoided words is one that its pattern finds", () => {
  const once = [
    "so that you know",
    "Left empty, one is made",
    "One to a line",
    "Take the filters away",
    "This link works no more",
    "Nothing to mend",
    "do not go together",
    "one of those that are guessed first",
    "this link has done its work",
    'keep: "Keep it"',
    "The secret stands in none of them",
    "risky all the same",
    "Make the account of the first administrator",
    '"It was created."',
    "this is not yours to give",
    "nobody deletes themselves",
    "as far as you may",
    "starts anew",
    '"Give a name of 1 to 255 characters."',
    '"Something in it is not as it should be."',
    "Look into your mail",
    "every one when absent",
    "end it at once and for good",
    "the file is there already",
    "No secret is alive",
  ];
  assert.equal(once.length, avoided.length);
  for (const [index, said] of once.entries()) {
    // biome-ignore lint/style/noNonNullAssertion: the lengths are the same
    assert.match(said, avoided[index]![0]);
  }
});

/** What users and operators read; security, design and decisions are for those who work on the program. */
const guides = [
  "README.md",
  ...[
    "account",
    "api",
    "fapi2",
    "installing",
    "mcp",
    "operations",
    "passkeys",
    "permissions",
    "providers",
  ].map((name) => `docs/${name}.md`),
  ...["registration", "scaling", "second-factors", "step-up"].map((name) => `docs/${name}.md`),
];

test("the guides for users and operators avoid what reads as translated", () => {
  const words = /\bwhoever\b|\banew\b|\bso that\b|\bin the place of\b|\ball the same\b|\bfor want of\b/i;
  const found = guides.flatMap((path) =>
    readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
      .split("\n")
      .flatMap((line, at) => (words.test(line) ? [`${path}:${at + 1}: ${line}`] : [])),
  );
  assert.deepEqual(found, []);
});
