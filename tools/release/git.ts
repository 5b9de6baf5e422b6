/** Git commands of a release. */
import { execFileSync, spawnSync } from "node:child_process";

/** Returns the output of the command. Throws if it fails. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

/** Returns the full ID of a commit; undefined if there is none with this name. */
export function commitOf(folder: string, name: string): string | undefined {
  const args = ["rev-parse", "--quiet", "--verify", `${name}^{commit}`];
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Commits every changed file and returns the commit ID. Its time is that of the previous commit, so that
 * a dry run and the release create the same commit.
 */
export function commitAll(folder: string, subject: string): string {
  const date = git(folder, "log", "-1", "--format=%cI");
  execFileSync("git", ["commit", "--all", "--no-verify", "--quiet", "--message", subject], {
    cwd: folder,
    env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return git(folder, "rev-parse", "HEAD");
}

export interface TrackedFile {
  readonly path: string;
  readonly executable: boolean;
}

/** Returns the tracked files below `folder`, with paths relative to it. */
export function trackedFiles(folder: string): readonly TrackedFile[] {
  const listed = git(folder, "ls-files", "--stage", "-z").split("\0").filter(Boolean);
  return listed.map((line) => {
    const [facts = "", path = ""] = line.split("\t");
    return { path, executable: facts.startsWith("100755") };
  });
}
