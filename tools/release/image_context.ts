/** The contents of an image: the tracked files that `.dockerignore` admits. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArchivedFile } from "./archive.ts";
import { trackedFiles } from "./git.ts";

/** The text that each wildcard of a line matches; names that begin with a dot are not special. */
const wildcards: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};

/** The paths that a line names: a file, or a folder with all below it. */
function patternOf(line: string): RegExp {
  const parts = line.replace(/^!?\/*|\/+$/g, "").split(/(\*\*\/|\*\*|\*|\?)/);
  const source = parts.map((part) => wildcards[part] ?? part.replace(/[.+^${}()|[\]\\]/g, "\\$&")).join("");
  return new RegExp(`^${source}(?:/.*)?$`);
}

/** Whether the lines of a `.dockerignore` let the path through: the last line that matches decides. */
export function isLetThrough(path: string, lines: readonly string[]): boolean {
  const decisive = lines.findLast((line) => patternOf(line).test(path));
  return decisive === undefined || decisive.startsWith("!");
}

export function imageContext(root: string): readonly ArchivedFile[] {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return trackedFiles(root)
    .filter(({ path }) => path === ".dockerignore" || isLetThrough(path, lines))
    .map(({ path, executable }) => ({ name: path, bytes: readFileSync(join(root, path)), executable }));
}
