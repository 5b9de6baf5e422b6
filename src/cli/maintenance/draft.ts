/** The file that a command fills before it moves it into place. */
import { closeSync, openSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Passes the path of a hidden file next to `path` to the work, and removes this file afterwards. The name is
 * always the same, so that the next run removes what an interrupted one left. Throws if another process is
 * filling the file.
 */
export async function withDraft<R>(path: string, work: (draft: string) => Promise<R>): Promise<R> {
  const { takeSqlite } = await import("../../storage/sqlite/file.ts");
  const draft = join(dirname(path), `.${basename(path)}.copying`);
  const lock = `${draft}-lock`;
  makeFile(lock);
  const taken = takeSqlite(lock);
  if (taken.state !== "taken")
    throw new Error(
      taken.state === "held"
        ? `another copy into ${path} is in progress`
        : `${lock} cannot be locked: remove the file`,
    );
  const remove = () => {
    for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(draft + suffix, { force: true });
  };
  try {
    remove();
    return await work(draft);
  } finally {
    remove();
    taken.release();
    rmSync(lock, { force: true });
  }
}

/**
 * Creates the file if it is missing. The error names the folder, because the hidden file means nothing to the
 * operator.
 */
export function makeFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`no file can be created in the folder ${resolve(dirname(path))} (${code})`, {
      cause: error,
    });
  }
}
