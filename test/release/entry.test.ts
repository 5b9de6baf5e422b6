/** The entry file of a package that programs import. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { entryText, oldestNode } from "../../packages/entry.ts";
import { temporaryFolder } from "../support/temp.ts";

/** Creates a package whose module imports something that no Node has, or that every Node has. */
function packageWith(imported: string): string {
  const folder = temporaryFolder();
  const module = `import { ${imported} } from "node:crypto"; export const begin = () => typeof ${imported};\n`;
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "module.js"), module);
  writeFileSync(join(folder, "index.cjs"), entryText("@postern/server", "./module.js", ["begin"]));
  return folder;
}

/** Runs a program in the folder, in a process that claims to be another version of Node. */
function runAs(version: string, folder: string, program: string) {
  const preload = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`;
  const args = ["--import", preload, "--input-type=module", "--eval", program];
  return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
}

const programs = {
  import: 'import { begin } from "./index.cjs"; console.log(begin());',
  require:
    'import { createRequire } from "node:module"; console.log(createRequire(process.cwd() + "/x")("./index.cjs").begin());',
};

for (const [way, program] of Object.entries(programs))
  test(`on an old Node, a package names the required version in one sentence before loading anything, by ${way}`, () => {
    const old = runAs("20.20.2", packageWith("inventedByThisTest"), program);
    assert.equal(old.status, 1);
    assert.match(
      old.stderr,
      /^Error: @postern\/server needs Node 24\.21 or newer, and this is Node 20\.20\.2$/m,
    );
    assert.doesNotMatch(old.stderr, /SyntaxError|inventedByThisTest/);
    assert.match(runAs("24.20.9", packageWith("createHash"), program).stderr, /needs Node 24\.21/);
    for (const version of ["24.21.0", "26.0.0"])
      assert.equal(runAs(version, packageWith("createHash"), program).stdout, "function\n", version);
  });

test("the command line requires the same Node as the packages", () => {
  const command = readFileSync(fileURLToPath(new URL("../../bin/postern.js", import.meta.url)), "utf8");
  const { major, minor } = oldestNode;
  assert.ok(command.includes(`major > ${major} || (major === ${major} && minor >= ${minor})`));
  assert.ok(command.includes(`needs Node ${major}.${minor} or newer`));
});
