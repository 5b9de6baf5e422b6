/** Files that appear whole or not at all. */
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

/** The file that links lead to, which SQLite names its other files after; the path itself where none is there. */
export function linkedFile(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}

/** Forces written data of a file or a folder to disk. */
export function syncPath(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** Some systems open no folders; the file is there all the same. */
function syncFolderOf(path: string): void {
  if (process.platform !== "win32") syncPath(dirname(path));
}

/**
 * Gives a draft in the same folder its name. Without `replace` never over a file that is there: then the
 * answer is false and the draft stays.
 */
export function placeFile(draft: string, path: string, { replace }: { replace: boolean }): boolean {
  if (replace) renameSync(draft, path);
  else if (!linkFile(draft, path)) return false;
  else rmSync(draft);
  syncFolderOf(path);
  return true;
}

/**
 * The log or shared memory that another SQLite database has left under this name; undefined where there is
 * none. SQLite would read it into a new database of the name (SQLite documentation, "Write-Ahead Logging").
 */
export function sqliteRemains(path: string): string | undefined {
  return ["-wal", "-shm", "-journal"].map((suffix) => path + suffix).find((name) => existsSync(name));
}

/** Gives a file a second name, never that of a file that is there: then the answer is false. */
export function linkFile(draft: string, path: string): boolean {
  const isThere = (error: unknown) => (error as NodeJS.ErrnoException).code === "EEXIST";
  try {
    linkSync(draft, path);
  } catch (error) {
    if (isThere(error)) return false;
    // Some file systems have no links; a copy is the next best.
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
