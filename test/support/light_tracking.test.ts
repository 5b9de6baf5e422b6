import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { preloads } from "./preloads.ts";
import { temporaryFolder } from "./temp.ts";

/** Runs a file as the suite does; returns its exit code and the report. */
function runFile(lines: string): { status: number | null; stdout: string } {
  const path = join(temporaryFolder(), "some.test.mjs");
  const imports = `import { before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
`;
  writeFileSync(path, imports + lines);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = ["--test", ...preloads, "--test-reporter=spec", path];
  return spawnSync(process.execPath, args, { env, encoding: "utf8" });
}

test("an uncaught error in a test file fails the file, and is reported", () => {
  const { status, stdout } = runFile(`describe("a suite", () => {
  for (const fail of [
    () => setTimeout(() => { throw new Error("thrown in a timer"); }),
    () => void Promise.reject(new Error("a rejected promise")),
  ]) test("a test", async () => { await pause(1); fail(); await pause(50); });
});`);
  assert.equal(status, 1);
  for (const error of [/thrown in a timer/, /a rejected promise/]) assert.match(stdout, error);
});

test("a test or hook declared after a wait belongs to the suite that declared it", () => {
  const { status, stdout } = runFile(`describe("outer", async () => {
  await pause(5);
  describe("inner", async () => {
    await pause(5);
    let ready = false;
    before(() => { ready = true; });
    await pause(5);
    test("deep", () => { if (!ready) throw new Error("too early"); });
  });
  test("shallow", async () => { await pause(5); });
});
describe("another", async () => { test("at once", () => {}); });
`);
  assert.equal(status, 0, stdout);
  const places = stdout.split("\n").flatMap((line) => {
    const [, indent = "", name] = /^( *)[▶✔] (\w[\w ]*?)(?: \([\d.]+ms\))?$/.exec(line) ?? [];
    return name === undefined ? [] : [`${indent.length / 2} ${name}`];
  });
  assert.deepEqual(
    [...new Set(places)],
    ["0 outer", "1 inner", "2 deep", "1 shallow", "0 another", "1 at once"],
  );
});
