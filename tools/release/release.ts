/**
 * Makes a release, from the checks to the tag. The files are built from a commit in a separate folder, and
 * moved to the output folder at the end.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../packages/packing.ts";
import { type Artifacts, errorsOfArtifacts, makeArtifacts } from "./artifacts.ts";
import { checkBudget, type Finding, findingsOf, tagOf } from "./checks.ts";
import { commitAll, commitOf, git } from "./git.ts";
import { provenanceOf, sha256 } from "./provenance.ts";
import { misplacedVersions, writeVersion } from "./version_places.ts";

export interface Order {
  readonly version: string;
  readonly dry_run: boolean;
  /** The folder for the files; its previous contents are deleted. */
  readonly out: string;
  readonly builder: string;
  /** Whether the processor time of the hot routes is measured before the build. */
  readonly measured: boolean;
}

type Report = (finding: Finding) => void;

/**
 * Runs `use` in a work tree of the last commit with the checkout's installed packages, and removes the
 * tree.
 */
async function inWorkTree<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const parent = mkdtempSync(join(tmpdir(), "postern-release-"));
  const folder = join(parent, "postern");
  try {
    git(root, "worktree", "add", "--quiet", "--detach", folder, "HEAD");
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    return await use(folder);
  } finally {
    rmSync(parent, { recursive: true, force: true });
    git(root, "worktree", "prune");
  }
}

/** Returns a commit in which all files have this version: the last one if no file has to be changed. */
function commitVersion(folder: string, version: string): string {
  writeVersion(folder, version);
  const misplaced = misplacedVersions(folder, version);
  if (misplaced.length > 0) throw new Error(`after writing ${version}: ${misplaced.join("; ")}`);
  return git(folder, "status", "--porcelain", "--untracked-files=no") === ""
    ? git(folder, "rev-parse", "HEAD")
    : commitAll(folder, `Release ${version}`);
}

async function build(folder: string, { version, builder }: Order, commit: string): Promise<Artifacts> {
  const date = git(folder, "log", "-1", "--format=%cI");
  const artifacts = await makeArtifacts(folder, version, date);
  const npm_version = execFileSync("npm", ["--version"], {
    encoding: "utf8",
    shell: process.platform === "win32",
  }).trim();
  const statement = provenanceOf(folder, artifacts, { version, commit, builder, npm_version });
  return new Map([...artifacts, [`postern-${version}.intoto.json`, Buffer.from(statement)]]);
}

function writeFiles(artifacts: Artifacts, out: string): void {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const [name, bytes] of artifacts) writeFileSync(join(out, name), bytes);
  const lines = [...artifacts].map(([name, bytes]) => `${sha256(bytes)}  ${name}\n`);
  writeFileSync(join(out, "SHA256SUMS"), lines.toSorted().join(""));
}

/** Makes the release and reports the results of checks. Returns the commit; undefined if a check failed. */
export async function makeRelease(order: Order, report: Report): Promise<string | undefined> {
  const { version, dry_run, out } = order;
  const findings = findingsOf(root, version, dry_run);
  for (const finding of findings) report(finding);
  if (findings.some(({ level }) => level === "error")) return undefined;
  if (order.measured) {
    const budget = checkBudget(root);
    report(budget);
    if (budget.level === "error") return undefined;
  }

  return inWorkTree(async (folder) => {
    const commit = commitVersion(folder, version);
    const artifacts = await build(folder, order, commit);
    const errors = await errorsOfArtifacts(artifacts, version);
    for (const text of errors) report({ level: "error", text });
    if (errors.length > 0) return undefined;
    report({ level: "ok", text: `every file says ${version}, and the SBOM is valid against its schema` });
    writeFiles(artifacts, out);
    if (!dry_run) {
      git(root, "merge", "--quiet", "--ff-only", commit);
      if (commitOf(root, `refs/tags/${tagOf(version)}`) === undefined)
        git(root, "tag", "--annotate", tagOf(version), "--message", `Postern ${version}`);
    }
    return commit;
  });
}
