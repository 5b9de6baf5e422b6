/** Returns the contents of an image's build context: tracked files that `.dockerignore` does not exclude. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArchivedFile } from "./archive.ts";
import { trackedFiles } from "./git.ts";

/** The regular expressions of wildcards. Names that begin with a dot are not special. */
const wildcards: Readonly<Record<string, string>> = {
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
};

/** Returns a pattern of the paths that a line matches: a file, or a folder with its contents. */
function patternOf(line: string): RegExp {
  const parts = line.replace(/^!?\/*|\/+$/g, "").split(/(\*\*\/|\*\*|\*|\?)/);
  const source = parts.map((part) => wildcards[part] ?? part.replace(/[.+^${}()|[\]\\]/g, "\\$&")).join("");
  return new RegExp(`^${source}(?:/.*)?$`);
}

/** Returns whether a `.dockerignore` with these lines includes the path: the last matching line decides. */
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
