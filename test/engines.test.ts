/**
 * npm checks the engines of packages against the Node that npm runs on, but this project has its own Node
 * (docs/decisions/packaging-and-releases.md).
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { inForm } from "./support/form.ts";

const root = join(import.meta.dirname, "..");

interface Package {
  readonly engines?: { readonly node?: string };
  readonly optional?: boolean;
}

/** Whether one of the alternatives of a range, such as `^18.1 || >=20`, admits Node 20. */
function admits20(range: string): boolean {
  return range.split("||").some((alternative) =>
    [...alternative.matchAll(/(>=|>|<=|<|\^|~|=)?\s*v?(\d+)[\d.x-]*/g)].every(([, sign = "", major]) => {
      const number = Number(major);
      if (sign.startsWith(">")) return number <= 20;
      return sign === "<" ? number > 20 : sign === "<=" ? number >= 20 : number === 20;
    }),
  );
}

test("F-21: each required dependency in the lock file accepts Node 20, on which npm may run", () => {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Package>;
  };
  const warned = Object.entries(lock.packages)
    .filter(([, { engines, optional }]) => optional !== true && !admits20(engines?.node ?? "*"))
    .map(([name]) => name);
  assert.deepEqual(warned, [], "delete `engines` of these in package-lock.json; npm leaves it so");
});

const short = inForm<string | false>("what the lock file says suffices", false);
test("F-21: `npm ci` prints no warning about engines, on any Node version that runs npm", {
  skip: short,
}, () => {
  const path = (process.env.PATH ?? "").split(delimiter);
  const PATH = path.filter((folder) => !folder.endsWith(join("node_modules", ".bin"))).join(delimiter);
  const { status, stderr } = spawnSync("npm", ["ci", "--dry-run", "--offline"], {
    cwd: root,
    env: { ...process.env, PATH },
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stderr, /EBADENGINE/);
});
