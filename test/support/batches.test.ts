/** Every test file runs once, whichever process runs it. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { batchesOf } from "./batches.ts";
import { longestFiles } from "./longest_files.ts";

const tests = fileURLToPath(new URL("..", import.meta.url));
const files = globSync("**/*.test.ts", { cwd: tests }).map((path) => path.replaceAll(sep, "/"));

test("each test file is in exactly one batch, and the longest files run first and alone", () => {
  const batches = batchesOf(files);
  assert.deepEqual(batches.flat().toSorted(), files.toSorted());
  assert.deepEqual(
    batches.slice(0, longestFiles.length),
    longestFiles.map((file) => [file]),
  );
});

test("a test file that measures or exhausts the machine runs alone", () => {
  const shared = batchesOf(files).filter((batch) => batch.length > 1);
  assert.ok(shared.length > 10);
  assert.deepEqual(
    shared.flat().filter((file) => /^(?:faults|bench|kit|release)\//.test(file)),
    [],
  );
});
