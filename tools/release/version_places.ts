/** The files that contain the version. A release sets it in `package.json` and updates the others. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withReleased } from "./changelog.ts";

interface Place {
  readonly path: string;
  /** Matches each occurrence, with the version as the group `version`. */
  readonly pattern: RegExp;
  /** The number of occurrences in the file. */
  readonly times: number;
}

const number = String.raw`(?<version>\d+\.\d+\.\d+(?:-[\w.]+)?)`;

export const places: readonly Place[] = [
  { path: "package.json", pattern: new RegExp(`^  "version": "${number}"`, "gm"), times: 1 },
  {
    path: "package-lock.json",
    pattern: new RegExp(`"name": "postern",\\s+"version": "${number}"`, "g"),
    times: 2,
  },
  { path: "deploy/chart/Chart.yaml", pattern: new RegExp(`^(?:appV|v)ersion: "?${number}`, "gm"), times: 2 },
  { path: "docs/installing.md", pattern: new RegExp(`postern-server-${number}\\.tgz`, "g"), times: 1 },
  {
    path: "examples/tested/package.json",
    pattern: new RegExp(`postern-test-${number}\\.tgz`, "g"),
    times: 1,
  },
];

/** Returns the errors in the files below `root`, each of which must contain `version`. */
export function misplacedVersions(root: string, version: string): readonly string[] {
  return places.flatMap(({ path, pattern, times }) => {
    const text = readFileSync(join(root, path), "utf8");
    const found = [...text.matchAll(pattern)].map(({ groups }) => groups?.version ?? "");
    const wrong = found.filter((each) => each !== version).map((each) => `${path} says ${each}`);
    if (found.length !== times) wrong.push(`${path} says a version ${found.length} times, not ${times}`);
    return wrong;
  });
}

/**
 * Writes the version to every file below `root`, and removes `(unreleased)` from its section of the
 * changelog.
 */
export function writeVersion(root: string, version: string): void {
  for (const { path, pattern } of places)
    rewrite(join(root, path), (text) =>
      text.replace(pattern, (found, old: string) => found.replace(old, version)),
    );
  rewrite(join(root, "CHANGELOG.md"), (text) => withReleased(text, version));
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}
