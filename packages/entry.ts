/** Writes the file that programs import from a package. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The oldest Node that has Argon2 in `node:crypto` and can `require` an ES module, which the packages
 * use.
 */
export const oldestNode = { major: 24, minor: 21 } as const;

/**
 * Returns the text of a CommonJS file that exports what the module `target` exports. The module itself
 * could not refuse an old Node, because its imports are resolved before its code runs. The last line
 * never runs: it names the exports for programs that import the file (cjs-module-lexer).
 */
export function entryText(name: string, target: string, exported: readonly string[]): string {
  const { major, minor } = oldestNode;
  return `"use strict";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor})) {
  throw new Error(\`${name} needs Node ${major}.${minor} or newer, and this is Node \${process.versions.node}\`);
}
module.exports = require(${JSON.stringify(target)});
0 && (module.exports = { ${exported.join(", ")} });
`;
}

/** Writes `index.cjs` to `build`, which loads `target`. */
export async function writeEntry(build: string, name: string, target: string): Promise<void> {
  const exported = Object.keys((await import(pathToFileURL(join(build, target)).href)) as object);
  writeFileSync(join(build, "index.cjs"), entryText(name, target, exported));
}
