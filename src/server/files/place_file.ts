import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/**
 * Returns the path with symbolic links resolved, because SQLite derives the names of its other files from it.
 * Returns the path itself if the file does not exist.
 */
export function linkedFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Returns whether both paths lead to the same existing file, through links too. */
export function isSameFile(one: string, other: string): boolean {
  if (!existsSync(one) || !existsSync(other)) return false;
  const [first, second] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
  return first.dev === second.dev && first.ino === second.ino;
}

/** Flushes a file or folder to disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/**
 * A new file name survives a crash only if its folder is flushed to disk. On Windows, folders cannot be
 * flushed.
 */
function syncFolderOf(path: string): void {
  if (process.platform !== "win32") syncPath(dirname(path));
}

/**
 * Flushes the draft, moves it to `path` in the same folder and flushes the folder. Without `replace`, returns
 * false and keeps the draft if `path` exists.
 */
export function placeFile(draft: string, path: string, { replace }: { replace: boolean }): boolean {
  syncPath(draft);
  if (replace) renameSync(draft, path);
  else if (!linkFile(draft, path)) return false;
  else rmSync(draft);
  syncFolderOf(path);
  return true;
}

/**
 * Returns the path of a file left by an earlier SQLite database of this name. SQLite could replay a WAL or
 * journal file into a new database (SQLite documentation, "Write-Ahead Logging").
 */
export function sqliteRemains(path: string): string | undefined {
  return ["-wal", "-shm", "-journal"].map((suffix) => path + suffix).find((name) => existsSync(name));
}

/**
 * Creates `path` as a hard link to the draft, or as a copy. Returns false, without changes, if `path` exists.
 */
export function linkFile(draft: string, path: string): boolean {
  const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === "EEXIST";
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isThere(error)) return false;
    // Some file systems do not support hard links.
    try {
      copyFileSync(draft, path, constants.COPYFILE_EXCL);
      syncPath(path);
    } catch (second) {
      if (isThere(second)) return false;
      throw second;
    }
  }
  return true;
}
