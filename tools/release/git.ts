/** The Git commands of a release. */
import { execFileSync, spawnSync } from "node:child_process";

/** The output of the command. Throws if it fails. */
export function git(folder: string, ...args: string[]): string {
  return execFileSync("git", args, {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 1 << 26,
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

/** The full id of a commit, undefined where there is none by that name. */
export function commitOf(folder: string, name: string): string | undefined {
  const args = ["rev-parse", "--quiet", "--verify", `${name}^{commit}`];
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/**
 * Commits every changed file, and answers the id. The commit has the time of the one before it, so that a dry
 * run and the release after it make the same one.
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

/** The files below `folder` that Git knows, by their paths from there. */
export function trackedFiles(folder: string): readonly TrackedFile[] {
  const listed = git(folder, "ls-files", "--stage", "-z").split("\0").filter(Boolean);
  return listed.map((line) => {
    const [facts = "", path = ""] = line.split("\t");
    return { path, executable: facts.startsWith("100755") };
  });
}
