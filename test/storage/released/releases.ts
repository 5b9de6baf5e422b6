/** The versions whose stored databases are kept as dumps, and what a test must know of each dump. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../../..", import.meta.url));

interface Release {
  readonly name: string;
  /** The commit whose code is the version's. */
  readonly commit: string;
  /** The newest migration of its tables. */
  readonly schema: number;
}

/**
 * Each release, and a schema of the coming one that servers already run on. A release adds its line, and its
 * dumps by `make_dumps.ts`.
 */
export const releases: readonly Release[] = [
  { name: "0.1.0", commit: "0bb446cea82b0b7809b242b0fa7a01d9ea7e9e32", schema: 5 },
  { name: "0.2.0", commit: "0d71f031841269110e7ec02384e3b2012cc10033", schema: 9 },
  { name: "0.3.0-40", commit: "d56ce26d883f4ee18732dc8512511186189fe2cd", schema: 40 },
  { name: "0.3.0", commit: "a5bd9cdc3256322c9f8fb784fb8964a14bd4435f", schema: 50 },
];

/** The first version whose processes run on while the next one migrates PostgreSQL. */
export const firstBeside = { commit: "f1d648fe2efec60420128642f6cfab92f8b88a17", schema: 35 };

/** Whether the history of the repository is here, so that the code of a version can be had. */
export function hasCommit(commit: string): boolean {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: project }).status === 0;
}

/** The secret key of every dump. */
export const secretKey = Buffer.alloc(32, "dumps of the tests").toString("base64");

/** The issuer of every dump. */
export const issuer = "http://localhost:3999";

export const folder = fileURLToPath(new URL(".", import.meta.url));

/** Makes the version's code from the history, in a folder that has today's packages. */
export function checkOut(commit: string, into: string): string {
  mkdirSync(into, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: project, maxBuffer: 1 << 28 });
  execFileSync("tar", ["-x", "-C", into], { input: archive });
  symlinkSync(join(project, "node_modules"), join(into, "node_modules"));
  return into;
}

/** Secrets and facts of one dump. */
export interface Dump {
  /** When it was made: a server over it has this clock. */
  readonly moment: string;
  readonly email: string;
  readonly password: string;
  readonly client_id: string;
  readonly client_secret: string;
  readonly redirect_uri: string;
  readonly introspecting: { readonly client_id: string; readonly client_secret: string };
  readonly api_key: string;
  /** Cookies of a browser in which the person is signed in. */
  readonly cookies: Readonly<Record<string, string>>;
  /** An unredeemed code, with its verifier. */
  readonly code: string;
  readonly code_verifier: string;
  readonly tokens: {
    readonly live: { readonly access_token: string; readonly refresh_token: string };
    /** Its refresh token was rotated. */
    readonly spent: { readonly access_token: string; readonly refresh_token: string };
    readonly revoked: { readonly access_token: string; readonly refresh_token: string };
    readonly of_machine: string;
  };
  /** Rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
}
