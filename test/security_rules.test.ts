/**
 * Each rule of docs/security.md and each decision of docs/design.md has tests whose titles begin with its
 * number.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { titledTests } from "./support/asserting.ts";

const root = join(import.meta.dirname, "..");

/** Returns the numbers of the rules, in the order of the document. */
function rules(): readonly string[] {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  return [...text.matchAll(/^\*\*([A-Z]{1,2}-\d+)\*\* /gm)].map(([, number = ""]) => number);
}

/** Returns the text of each test file, by its path below `test/`. */
function sources(): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  return new Map(
    files
      .filter((name) => name.endsWith(".test.ts"))
      .map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, "test", file), "utf8")]),
  );
}

/** Returns the rules with which the titles of a test file begin, such as `A-7, A-8: …`. */
function titledRules(text: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  for (const [, title = ""] of text.matchAll(/\b(?:test|it|describe)\(\s*["'`]([^"'`]*)/g)) {
    const leading = /^((?:[A-Z]{1,2}-\d+(?:,? and |, |\/| )?)+)/.exec(title)?.[1] ?? "";
    for (const [number] of leading.matchAll(/[A-Z]{1,2}-\d+/g)) numbers.add(number);
  }
  return numbers;
}

/** Returns the decisions of section 6 of docs/design.md, such as `design 6.9`. */
function decisions(): string[] {
  const text = readFileSync(join(root, "docs/design.md"), "utf8");
  const section = /^## 6\.[\s\S]*?(?=^## |(?![\s\S]))/m.exec(text)?.[0] ?? "";
  return [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => `design 6.${number}`);
}

describe("the security rules in docs/security.md", () => {
  test("cover each decision of the design, or say where it is still missing", () => {
    const titles = [...sources().values()].flatMap((text) =>
      [...text.matchAll(/\b(?:test|describe)\(\s*["'`]([^"'`]*)/g)].map(([, title = ""]) => title),
    );
    const waiting = readFileSync(join(root, "docs/security.md"), "utf8");
    const unshown = decisions().filter(
      (decision) =>
        !titles.some((title) => new RegExp(`${decision.replace(".", "\\.")}\\b`).test(title)) &&
        !waiting.includes(`${decision} waits:`),
    );
    assert.equal(decisions().length, 24);
    assert.deepEqual(unshown, []);
  });

  test("are each listed once", () => {
    const numbers = rules();
    assert.ok(numbers.length > 100);
    assert.deepEqual(numbers, [...new Set(numbers)]);
    // These tests would not read a rule in a row of a table.
    assert.doesNotMatch(readFileSync(join(root, "docs/security.md"), "utf8"), /^\| [A-Z]{1,2}-\d+ \|/m);
  });

  test("each have a test whose title begins with the rule's number", () => {
    const titled = new Set([...sources().values()].flatMap((text) => [...titledRules(text)]));
    assert.deepEqual(
      rules().filter((number) => !titled.has(number)),
      [],
    );
  });

  test("are each shown by tests that assert something", async () => {
    const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
    const texts = files
      .filter((name) => name.endsWith(".ts"))
      .map((name) => [name, readFileSync(join(root, "test", name), "utf8")] as const);
    const empty = 'test("A-1: nothing is asked", async () => { await fetch("/"); });';
    const found = await titledTests(new Map([...texts, ["empty.ts", empty]]));
    const idle = found.filter(({ title, asserts }) => /^[A-Z]{1,2}-\d+/.test(title) && !asserts);
    assert.deepEqual(
      idle.map(({ file, title }) => `${file}: ${title}`),
      ["empty.ts: A-1: nothing is asked"],
    );
  });
});
