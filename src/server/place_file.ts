/** Atomic creation of files. */
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
} from "node:fs";
import { dirname } from "node:path";

/**
 * Resolves symbolic links to the file, because SQLite derives the names of its other files from the target.
 * Returns the path itself if it does not exist.
 */
export function linkedFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** A file's new name survives a crash only if its folder is flushed. Windows cannot open folders. */
function syncFolderOf(path: string): void {
  if (process.platform !== "win32") syncPath(dirname(path));
}

/**
 * Renames a draft within its folder. Without `replace`, an existing file is not overwritten: the function
 * returns false and leaves the draft.
 */
export function placeFile(draft: string, path: string, { replace }: { replace: boolean }): boolean {
  if (replace) renameSync(draft, path);
  else if (!linkFile(draft, path)) return false;
  else rmSync(draft);
  syncFolderOf(path);
  return true;
}

/**
 * Returns the path of a log, shared memory or journal that another SQLite database of this name left behind;
 * undefined if there is none. SQLite would replay it into a new database of that name (SQLite documentation,
 * "Write-Ahead Logging").
 */
export function sqliteRemains(path: string): string | undefined {
  return ["-wal", "-shm", "-journal"].map((suffix) => path + suffix).find((name) => existsSync(name));
}

/**
 * Gives a file a second name. Returns false, without any change, if that name already exists. Throws
 * other errors of the file system.
 */
export function linkFile(draft: string, path: string): boolean {
  const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === "EEXIST";
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isThere(error)) return false;
    // Some file systems do not support hard links, so the file is copied.
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
