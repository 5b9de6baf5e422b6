/** The file of a package that programs import. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The oldest Node that has what the packages use: Argon2 in `node:crypto`, and requiring a module. */
export const oldestNode = { major: 24, minor: 21 } as const;

/**
 * The text of a CommonJS file that passes on what the module `target` exports. A module could not refuse an
 * old Node itself: its imports are resolved before anything of it runs. The last line never runs; it names
 * the exports for programs that import the file (cjs-module-lexer).
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

/** Writes `index.cjs` in `build`, before `target`. */
export async function writeEntry(build: string, name: string, target: string): Promise<void> {
  const exported = Object.keys((await import(pathToFileURL(join(build, target)).href)) as object);
  writeFileSync(join(build, "index.cjs"), entryText(name, target, exported));
}
