/** Files, scripts and exports that the developer documents name must exist. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { longestFiles } from "./support/longest_files.ts";
import { suspects } from "./support/repeated/suspects.ts";

const root = join(import.meta.dirname, "..");

/** Paths in back quotes from the root of the project. */
function namedPaths(text: string): string[] {
  const named = [...text.matchAll(/`((?:src|test|docs|bench|bin)\/[\w./-]+)`/g)];
  return [...new Set(named.map(([, path = ""]) => path))];
}

describe("the documentation for developers", () => {
  for (const document of [
    "CONTRIBUTING.md",
    "docs/architecture.md",
    "docs/design.md",
    "docs/permissions.md",
    "docs/testing.md",
  ]) {
    test(`${document} names only files that exist`, () => {
      const paths = namedPaths(readFileSync(join(root, document), "utf8"));
      assert.deepEqual(
        paths.filter((path) => !existsSync(join(root, path))),
        [],
      );
    });
  }

  test("docs/architecture.md names only sources that exist", () => {
    const text = readFileSync(join(root, "docs/architecture.md"), "utf8");
    const named = [...text.matchAll(/(?<![\w./-])([a-z_]+\/[a-z_/]*[\w.]+\.ts)\b/g)].map(
      ([, path = ""]) => path,
    );
    assert.ok(named.length > 80);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, "src", path)) && !existsSync(join(root, path))),
      [],
    );
  });

  test("the test files listed to start first exist", () => {
    assert.deepEqual(
      longestFiles.filter((path) => !existsSync(join(import.meta.dirname, path))),
      [],
    );
  });

  test("the tests that npm run test:chance repeats exist", () => {
    const missing = suspects.flatMap(({ file, titles }) => {
      const text = readFileSync(join(import.meta.dirname, file), "utf8");
      const found = [...text.matchAll(/\b(?:test|it|describe)\(\s*["`](.*)["`],/g)].map(
        ([, title = ""]) => title,
      );
      return titles
        .filter((part) => !found.some((title) => title.includes(part)))
        .map((part) => `${file}: ${part}`);
    });
    assert.deepEqual(missing, []);
  });

  test("README.md, CONTRIBUTING.md and docs/testing.md name only npm scripts that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const text = ["README.md", "CONTRIBUTING.md", "docs/testing.md"]
      .map((document) => readFileSync(join(root, document), "utf8"))
      .join("\n");
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    assert.ok(named.length > 5);
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
  });
});
