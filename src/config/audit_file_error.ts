/** What the file of audit events may not be. */
import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseConfig } from "./database_url.ts";

const besideDatabase = ["", "-wal", "-shm", "-journal"];

/**
 * Why events may not be appended to the file: it is of the database, the secret key beside it, or a file that
 * another setting names. Undefined where they may.
 */
export function auditFileError(
  path: string,
  database: DatabaseConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isThis = sameFile(path);
  if (database.kind === "sqlite") {
    const key = join(dirname(database.path), "secret.key");
    const own = [...besideDatabase.map((end) => realPathOf(database.path) + end), key];
    if (own.some(isThis)) return "expected a file that is not of the database";
  }
  const named = Object.entries(env).find(
    ([name, input]) =>
      /^POSTERN_\w+_FILE$/.test(name) && name !== "POSTERN_AUDIT_FILE" && input && isThis(input),
  );
  return named && `expected another file than that of ${named[0]}`;
}

/** Whether other names mean the same file: by links on the way to it, or as a second name of it. */
function sameFile(path: string): (other: string) => boolean {
  const real = realPathOf(path);
  const inode = inodeOf(path);
  return (other) => realPathOf(other) === real || (inode !== undefined && inodeOf(other) === inode);
}

/** As many links as Linux follows. */
const mostLinks = 40;

/** Where the file is, or would be made, without links on the way to it. */
function realPathOf(path: string, links = 0): string {
  const whole = resolve(path);
  const there = attempt(() => realpathSync(whole));
  if (there !== undefined || dirname(whole) === whole) return there ?? whole;
  const real = join(realPathOf(dirname(whole), links), basename(whole));
  // A link may lead to what is still to be made.
  const target = links < mostLinks ? attempt(() => readlinkSync(real)) : undefined;
  return target === undefined ? real : realPathOf(resolve(dirname(real), target), links + 1);
}

function inodeOf(path: string): string | undefined {
  const found = attempt(() => statSync(path, { bigint: true }));
  return found && `${found.dev}:${found.ino}`;
}

function attempt<R>(look: () => R): R | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
