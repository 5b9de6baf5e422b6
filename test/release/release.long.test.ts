/** A whole release, in a separate repository with the current files. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { sectionsOf } from "../../tools/release/changelog.ts";
import { sha256 } from "../../tools/release/provenance.ts";
import { misplacedVersions } from "../../tools/release/version_places.ts";
import { inForm } from "../support/form.ts";
import { temporaryFolder } from "../support/temp.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Files that are not sources: at the root, and by name in any folder. */
const left = /^(?:\.git|data|dist|bench\/results|packages\/[^/]+\/build)$|(?:^|\/)node_modules$|\.tgz$/;

describe("npm run release", () => {
  const project = join(temporaryFolder(), "project");
  const git = (...args: string[]) =>
    execFileSync("git", args, { cwd: project, encoding: "utf8", maxBuffer: 1 << 26 }).trim();
  const release = (...args: string[]) =>
    spawnSync(process.execPath, [join(project, "tools", "release", "main.ts"), ...args], {
      cwd: temporaryFolder(),
      encoding: "utf8",
    });
  const text = (folder: string, name: string) => readFileSync(join(folder, name), "utf8");
  const [newest] = sectionsOf(text(root, "CHANGELOG.md"));
  const version = newest?.version ?? "";
  const dry = join(temporaryFolder(), "dry");
  const real = join(temporaryFolder(), "real");

  before(() => {
    cpSync(root, project, {
      recursive: true,
      filter: (path) => !left.test(relative(root, path).replaceAll("\\", "/")),
    });
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "A person");
    git("config", "user.email", "person@people.example");
    appendFileSync(join(project, ".git", "info", "exclude"), "node_modules\n");
    git("add", "--all");
    git("commit", "--quiet", "--message", "What is here");
    symlinkSync(join(root, "node_modules"), join(project, "node_modules"), "junction");
  });

  test("without --dry-run a modified working tree, an older version and invalid input are refused", () => {
    writeFileSync(join(project, "new.txt"), "not committed\n");
    const refused = [
      [[], 1, /^error {3}1 changed or new files/m],
      [["0.1.0"], 1, /^error {3}0\.1\.0 does not come after/m],
      [["v9"], 1, /^error {3}v9 is not a semantic version/m],
      [["99.0.0", "--dry-run"], 1, /^error {3}the newest section of CHANGELOG\.md is/m],
    ] as const;
    for (const [args, code, reason] of refused) {
      const { status, stdout } = release(...args, "--out", real);
      assert.equal(status, code);
      assert.match(stdout, reason);
    }
    assert.equal(release("--builder", "nobody", "--out", real).status, 2);
    assert.equal(git("tag"), "");
  });

  function dryRun(): void {
    const head = git("rev-parse", "HEAD");
    const { status, stdout, stderr } = release("--dry-run", "--out", dry);
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /^warning 1 changed or new files/m);
    assert.equal(git("rev-parse", "HEAD"), head);
    assert.equal(git("tag"), "");
    assert.equal(git("status", "--porcelain"), "?? new.txt");
    assert.equal(git("worktree", "list").split("\n").length, 1);
  }

  /** Checks that the same commit gives the same bytes; the short form builds nothing twice. */
  const first = inForm<readonly (() => void)[]>([], [dryRun]);
  for (const run of first)
    test("a dry run builds the files of the last commit, and changes neither working tree nor history", run);

  test("a release builds the files of the last commit, and commits and tags the version", () => {
    execFileSync("git", ["clean", "--force", "--quiet"], { cwd: project });
    const { status, stdout, stderr } = release("--unmeasured", "--out", real);
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /Nothing was published/);
    assert.deepEqual(readdirSync(real).toSorted(), [
      "SHA256SUMS",
      `postern-${version}.cdx.json`,
      `postern-${version}.changes.md`,
      `postern-${version}.intoto.json`,
      `postern-chart-${version}.tgz`,
      `postern-client-${version}.tgz`,
      `postern-image-context-${version}.tar`,
      `postern-server-${version}.tgz`,
      `postern-test-${version}.tgz`,
    ]);
    assert.equal(text(real, `postern-${version}.changes.md`), `${newest?.text}\n`);
    if (first.length > 0) assert.equal(text(real, "SHA256SUMS"), text(dry, "SHA256SUMS"));
    assert.equal(git("worktree", "list").split("\n").length, 1);
    assert.equal(git("rev-parse", `v${version}^{commit}`), git("rev-parse", "HEAD"));
    assert.equal(git("log", "-1", "--format=%s"), `Release ${version}`);
    assert.equal(git("status", "--porcelain"), "");
    assert.deepEqual(misplacedVersions(project, version), []);
  });

  test("checksums and the provenance statement match the files and the commit", () => {
    const sums = text(real, "SHA256SUMS").trim().split("\n");
    const files = readdirSync(real).filter((name) => name !== "SHA256SUMS");
    const summed = files.map((name) => `${sha256(readFileSync(join(real, name)))}  ${name}`);
    assert.deepEqual(sums, summed.toSorted());
    const statement = JSON.parse(text(real, `postern-${version}.intoto.json`));
    assert.equal(statement._type, "https://in-toto.io/Statement/v1");
    assert.equal(statement.predicateType, "https://slsa.dev/provenance/v1");
    const subjects = (statement.subject as { name: string; digest: { sha256: string } }[]).map(
      ({ name, digest }) => `${digest.sha256}  ${name}`,
    );
    assert.deepEqual(
      subjects.toSorted(),
      sums.filter((line) => !line.endsWith(".intoto.json")),
    );
    const { externalParameters, resolvedDependencies } = statement.predicate.buildDefinition;
    assert.deepEqual(externalParameters, { version, commit: git("rev-parse", "HEAD") });
    assert.deepEqual(resolvedDependencies[0].digest, { gitCommit: git("rev-parse", "HEAD") });
    const lock = sha256(readFileSync(join(project, "package-lock.json")));
    assert.deepEqual(resolvedDependencies[1].digest, { sha256: lock });
    assert.equal(statement.predicate.runDetails.builder.id, "urn:postern:builder:unnamed");
  });
});
