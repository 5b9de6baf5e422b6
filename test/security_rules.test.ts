/**
 * docs/security.md promises a test for each rule and for each decision of docs/design.md: this holds it to
 * that.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { titledTests } from "./support/asserting.ts";

const root = join(import.meta.dirname, "..");

interface Rule {
  readonly number: string;
  readonly level: string;
  readonly shown_by: string;
}

function rules(): Rule[] {
  const text = readFileSync(join(root, "docs/security.md"), "utf8");
  return text.split("\n").flatMap((line) => {
    const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, number = ""] = cells;
    if (!/^[A-Z]{1,2}-\d+$/.test(number)) return [];
    return [{ number, level: cells.at(-3) ?? "", shown_by: cells.at(-2) ?? "" }];
  });
}

function sources(): string[] {
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  return files
    .filter((name) => name.endsWith(".test.ts"))
    .map((file) => readFileSync(join(root, "test", file), "utf8"));
}

/** Every title in the tests that begins with rule numbers, such as `A-7, A-8: …`. */
function titledRules(): Set<string> {
  const numbers = new Set<string>();
  for (const text of sources()) {
    for (const [, title = ""] of text.matchAll(/\b(?:test|it|describe)\(\s*["'`]([^"'`]*)/g)) {
      const leading = /^((?:[A-Z]{1,2}-\d+(?:,? and |, |\/| )?)+)/.exec(title)?.[1] ?? "";
      for (const [number] of leading.matchAll(/[A-Z]{1,2}-\d+/g)) numbers.add(number);
    }
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
    const titles = sources().flatMap((text) =>
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
    const numbers = rules().map(({ number }) => number);
    assert.ok(numbers.length > 100);
    assert.deepEqual(numbers, [...new Set(numbers)]);
  });

  test("has a test titled after each rule that it says is tested", () => {
    const titled = titledRules();
    const unshown = rules().filter(({ number, shown_by }) => shown_by === "tests" && !titled.has(number));
    assert.deepEqual(
      unshown.map(({ number }) => number),
      [],
    );
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

  test("says of every S and M rule that it is tested, or where it waits", () => {
    const silent = rules().filter(({ shown_by }) => shown_by !== "tests" && !shown_by.startsWith("waits:"));
    assert.deepEqual(
      silent.filter(({ level }) => level !== "R").map(({ number }) => number),
      [],
    );
  });

  test("says of no rule that it waits when it has a test", () => {
    const titled = titledRules();
    const late = rules().filter(
      ({ number, shown_by }) => shown_by.startsWith("waits:") && titled.has(number),
    );
    assert.deepEqual(
      late.map(({ number }) => number),
      [],
    );
  });
});
