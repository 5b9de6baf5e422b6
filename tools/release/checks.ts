/** Checks the conditions for a release. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gt, valid } from "semver";
import { rootPackage } from "../../packages/packing.ts";
import { sectionsOf } from "./changelog.ts";
import { commitOf, git } from "./git.ts";
import { misplacedVersions } from "./version_places.ts";

export interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly text: string;
}

const error = (text: string): Finding => ({ level: "error", text });
const ok = (text: string): Finding => ({ level: "ok", text });

export const tagOf = (version: string): string => `v${version}`;

/** Returns the version of the changelog's newest section. */
export function newestVersion(root: string): string | undefined {
  return sectionsOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"))[0]?.version;
}

function checkVersion(version: string, before: string): Finding {
  if (valid(version) !== version) return error(`${version} is not a semantic version`);
  if (version === before) return ok(`${version} is the version of package.json`);
  if (!gt(version, before))
    return error(`${version} does not come after ${before}, the version in package.json`);
  return ok(`${version} is a semantic version and comes after ${before}`);
}

function checkChangelog(root: string, version: string): Finding {
  const [newest] = sectionsOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"));
  if (newest?.version !== version)
    return error(`the newest section of CHANGELOG.md is ${newest?.version}, not ${version}`);
  if (newest.text === "") return error(`the section ${version} of CHANGELOG.md is empty`);
  return ok(`CHANGELOG.md begins with the section of this version, ${newest.text.split("\n").length} lines`);
}

/**
 * Checks, before anything is written, that all files contain the version of package.json. A file differs if
 * an earlier release did not update it.
 */
function checkPlaces(root: string, before: string): Finding {
  const misplaced = misplacedVersions(root, before);
  return misplaced.length === 0
    ? ok(`lock file, chart, documents and samples have the version of package.json, ${before}`)
    : error(`these differ from package.json: ${misplaced.join("; ")}`);
}

function checkTag(root: string, version: string, before: string): Finding {
  const tagged = commitOf(root, `refs/tags/${tagOf(version)}`);
  if (tagged === undefined) return ok(`the tag ${tagOf(version)} does not exist yet`);
  return tagged === commitOf(root, "HEAD") && version === before
    ? ok(`the tag ${tagOf(version)} already points to this commit, so its files are built again`)
    : error(`the tag ${tagOf(version)} points to another commit`);
}

function checkTree(root: string, dry_run: boolean): Finding {
  const changed = git(root, "status", "--porcelain");
  if (changed === "") return ok("the work tree is clean");
  const count = changed.split("\n").length;
  const text = `${count} changed or new files are not part of the release, which is built from the last commit`;
  return { level: dry_run ? "warning" : "error", text };
}

export function findingsOf(root: string, version: string, dry_run: boolean): readonly Finding[] {
  const before = rootPackage().version;
  return [
    checkVersion(version, before),
    checkChangelog(root, version),
    checkPlaces(root, before),
    checkTag(root, version, before),
    checkTree(root, dry_run),
  ];
}

/** Measures the processor time of the hot routes, which takes two minutes (docs/performance.md). */
export function checkBudget(root: string): Finding {
  const program = join(root, "tools", "bench", "budget.ts");
  return budgetFinding(spawnSync(process.execPath, [program], { cwd: root, encoding: "utf8" }));
}

/** Interprets the last line of `npm run bench:budget`. */
export function budgetFinding({ status, stdout }: { status: number | null; stdout: string }): Finding {
  if (status === 0) return ok("no hot route takes more processor time than tools/bench/budget.json accepts");
  const over = /^Over the budget: (.+)\.$/m.exec(stdout)?.[1];
  return error(over === undefined ? "npm run bench:budget could not be run" : `over the budget: ${over}`);
}
