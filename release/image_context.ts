/** What an image is built from: the tracked files that `.dockerignore` lets through. */
import { readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import type { ArchivedFile } from "./archive.ts";
import { trackedFiles } from "./git.ts";

/**
 * Whether the lines of a `.dockerignore` let the path through: the last line that matches decides. A line
 * names a file or a folder with all below it.
 */
export function isLetThrough(path: string, lines: readonly string[]): boolean {
  let answer = true;
  for (const line of lines) {
    const admits = line.startsWith("!");
    const pattern = line.slice(admits ? 1 : 0).replace(/^\/+|\/+$/g, "");
    if (matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`)) answer = admits;
  }
  return answer;
}

export function imageContext(root: string): readonly ArchivedFile[] {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  return trackedFiles(root)
    .filter(({ path }) => path === ".dockerignore" || isLetThrough(path, lines))
    .map(({ path, executable }) => ({ name: path, bytes: readFileSync(join(root, path)), executable }));
}
