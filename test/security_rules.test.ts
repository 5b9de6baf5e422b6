/** docs/security.md promises a test for each rule: this holds it to that. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

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
    if (!/^[A-Z]-\d+$/.test(number)) return [];
    return [{ number, level: cells.at(-3) ?? "", shown_by: cells.at(-2) ?? "" }];
  });
}

/** Every title in the tests that begins with rule numbers, such as `A-7, A-8: …`. */
function titledRules(): Set<string> {
  const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" });
  const numbers = new Set<string>();
  for (const file of files.filter((name) => name.endsWith(".test.ts"))) {
    const text = readFileSync(join(root, "test", file), "utf8");
    for (const [, title = ""] of text.matchAll(/\b(?:test|it|describe)\(\s*["'`]([^"'`]*)/g)) {
      const leading = /^((?:[A-Z]-\d+(?:,? and |, |\/| )?)+)/.exec(title)?.[1] ?? "";
      for (const [number] of leading.matchAll(/[A-Z]-\d+/g)) numbers.add(number);
    }
  }
  return numbers;
}

describe("docs/security.md", () => {
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
