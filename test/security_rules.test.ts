/**
 * docs/security.md names the tests of each rule, and each decision of docs/design.md has some: this holds them to
 * that.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { titledTests } from "./support/asserting.ts";

const root = join(import.meta.dirname, "..");

/** A section: the numbers of its rules, and the files below `test/` that it names for them. */
interface Section {
  readonly title: string;
  readonly numbers: readonly string[];
  readonly files: readonly string[];
}

function sections(): readonly Section[] {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  return text.split(/^## /m).flatMap((section) => {
    const numbers = [...section.matchAll(/^\*\*([A-Z]{1,2}-\d+)\*\* /gm)].map(([, number = ""]) => number);
    if (numbers.length === 0) return [];
    const [, named = ""] = /^Tests: (.+)$/m.exec(section) ?? [];
    const files = [...named.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    return [{ title: section.split("\n")[0] ?? "", numbers, files }];
  });
}

/** The text of each file of tests, by its path below `test/`. */
function sources(): ReadonlyMap<string, string> {
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  return new Map(
    files
      .filter((name) => name.endsWith(".test.ts"))
      .map((file) => [file.replaceAll("\\", "/"), readFileSync(join(root, "test", file), "utf8")]),
  );
}

/** The rules that the titles of a file of tests begin with, such as `A-7, A-8: …`. */
function titledRules(text: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  for (const [, title = ""] of text.matchAll(/\b(?:test|it|describe)\(\s*["'`]([^"'`]*)/g)) {
    const leading = /^((?:[A-Z]{1,2}-\d+(?:,? and |, |\/| )?)+)/.exec(title)?.[1] ?? "";
    for (const [number] of leading.matchAll(/[A-Z]{1,2}-\d+/g)) numbers.add(number);
  }
  return numbers;
}

/** The decisions of section 6 of docs/design.md, such as `design 6.9`. */
function decisions(): string[] {
  const text = readFileSync(join(root, "docs/design.md"), "utf8");
  const section = /^## 6\.[\s\S]*?(?=^## |(?![\s\S]))/m.exec(text)?.[0] ?? "";
  return [...section.matchAll(/^(\d+)\. /gm)].map(([, number]) => `design 6.${number}`);
}

describe("docs/security.md", () => {
  test("has a test for each decision of the design, or says where it waits", () => {
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

  test("lists every rule once", () => {
    const numbers = sections().flatMap((section) => section.numbers);
    assert.ok(numbers.length > 100);
    assert.deepEqual(numbers, [...new Set(numbers)]);
    // A row of a table would be a rule that nothing here reads.
    assert.doesNotMatch(readFileSync(join(root, "docs/security.md"), "utf8"), /^\| [A-Z]{1,2}-\d+ \|/m);
  });

  test("names files with a test titled after each rule, and no file without one", () => {
    const texts = sources();
    const wrong = sections().flatMap(({ title, numbers, files }) => {
      const titled = files.map((file) => titledRules(texts.get(file) ?? ""));
      const unshown = numbers.filter((number) => !titled.some((rules) => rules.has(number)));
      const idle = files.filter((_, at) => !numbers.some((number) => titled[at]?.has(number)));
      return [...unshown, ...idle].map((each) => `${title}: ${each}`);
    });
    assert.deepEqual(wrong, []);
  });

  test("is shown by tests that assert something", async () => {
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
