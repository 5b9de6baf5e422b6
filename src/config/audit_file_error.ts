import { readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { DatabaseConfig } from "./database_url.ts";

const besideDatabase = ["", "-wal", "-shm", "-journal"];

/** Returns why audit events must not be appended to the file; undefined if they may. */
export function auditFileError(
  path: string,
  database: DatabaseConfig,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const isThis = sameFile(path);
  if (database.kind === "sqlite") {
    const key = join(dirname(database.path), "secret.key");
    const own = [...besideDatabase.map((end) => realPathOf(database.path) + end), key];
    if (own.some(isThis)) return "expected a file that does not belong to the database";
  }
  const named = Object.entries(env).find(
    ([name, input]) =>
      /^POSTERN_\w+_FILE$/.test(name) && name !== "POSTERN_AUDIT_FILE" && input && isThis(input),
  );
  return named && `expected a different file from that of ${named[0]}`;
}

function sameFile(path: string): (other: string) => boolean {
  const real = realPathOf(path);
  const inode = inodeOf(path);
  return (other) => realPathOf(other) === real || (inode !== undefined && inodeOf(other) === inode);
}

/** Linux follows at most 40 symbolic links in one path. */
const mostLinks = 40;

/**
 * Returns the path without symbolic links, also for a file that does not exist yet, for which `realpathSync`
 * fails.
 */
function realPathOf(path: string, links = 0): string {
  const whole = resolve(path);
  const there = attempt(() => realpathSync(whole));
  if (there !== undefined || dirname(whole) === whole) return there ?? whole;
  const real = join(realPathOf(dirname(whole), links), basename(whole));
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
