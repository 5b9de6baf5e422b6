/** The versions whose databases are stored as dumps, and what a test must know about each dump. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../..", import.meta.url));

interface Release {
  readonly name: string;
  /** The commit of the version's code. */
  readonly commit: string;
  /** The newest migration in its database. */
  readonly schema: number;
}

/**
 * Each release, and one schema of a coming release that servers already use. A new release adds its line
 * here, and its dumps by `make_dumps.ts`.
 */
export const releases: readonly Release[] = [
  { name: "0.1.0", commit: "0bb446cea82b0b7809b242b0fa7a01d9ea7e9e32", schema: 5 },
  { name: "0.2.0", commit: "0d71f031841269110e7ec02384e3b2012cc10033", schema: 9 },
  { name: "0.3.0-40", commit: "d56ce26d883f4ee18732dc8512511186189fe2cd", schema: 40 },
  { name: "0.3.0", commit: "a5bd9cdc3256322c9f8fb784fb8964a14bd4435f", schema: 50 },
];

/** The first version whose processes keep running while the next version migrates PostgreSQL. */
export const firstBeside = { commit: "f1d648fe2efec60420128642f6cfab92f8b88a17", schema: 35 };

/** Returns whether the repository has the commit, so that the code of a version can be checked out. */
export function hasCommit(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: project }).status === 0;
}

/** The secret key of every dump. */
export const secretKey = Buffer.alloc(32, "dumps of the tests").toString("base64");

/** The issuer of every dump. */
export const issuer = "http://localhost:3999";

export const folder = fileURLToPath(new URL(".", import.meta.url));

/** Checks out the version's code into a folder with the current packages. */
export function checkOut(commit: string, into: string): string {
  mkdirSync(into, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: project, maxBuffer: 1 << 28 });
  execFileSync("tar", ["-x", "-C", into], { input: archive });
  symlinkSync(join(project, "node_modules"), join(into, "node_modules"));
  return into;
}

/** The values in one dump that tests use, including its secrets. */
export interface Dump {
  /** When the dump was made; a server on it uses this time as its clock. */
  readonly moment: string;
  readonly email: string;
  readonly password: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
  readonly introspecting: { readonly client_id: string; readonly client_secret: string };
  readonly api_key: string;
  /** Cookies of a browser in which the user is signed in. */
  readonly cookies: Readonly<Record<string, string>>;
  /** An unredeemed code, with its verifier. */
  readonly code: string;
  readonly code_verifier: string;
  readonly tokens: {
    readonly live: { readonly access_token: string; readonly refresh_token: string };
    /** The tokens whose refresh token was rotated. */
    readonly spent: { readonly access_token: string; readonly refresh_token: string };
    readonly revoked: { readonly access_token: string; readonly refresh_token: string };
    readonly of_machine: string;
  };
  /** The number of rows in each table. */
  readonly rows: Readonly<Record<string, number>>;
}
