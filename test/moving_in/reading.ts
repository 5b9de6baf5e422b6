/** Reads exports like `postern import`, and stores the results. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readExport } from "../../src/cli/moving_in/read_export.ts";
import { openSpool } from "../../src/cli/moving_in/spool.ts";
import { readForeignHash, verifyForeignHash } from "../../src/crypto/foreign_hashes/foreign_hashes.ts";
import { allSources } from "../../src/moving_in/all_sources.ts";
import type { Entry, ImportMap, MovedPerson } from "../../src/moving_in/core/moved.ts";
import { OtherSystem } from "../../src/moving_in/other_system.ts";
import { temporaryFolder } from "../support/temp.ts";

export const exportFile = (name: string) => fileURLToPath(new URL(`exports/${name}`, import.meta.url));

const noMap: ImportMap = {
  columns: {},
  providers: {},
  organization: undefined,
  rp_id: undefined,
  exported_at: "2026-11-28T12:00:00.000Z",
  firebase: undefined,
};

export interface Read {
  readonly people: readonly MovedPerson[];
  readonly organizations: readonly Entry[];
  readonly roles: readonly Entry[];
  readonly groups: readonly Entry[];
  readonly providers: readonly Entry[];
  readonly apps: readonly Entry[];
  /** Each as `object · member · reason`; this program's own reasons are named by their code. */
  readonly losses: readonly string[];
}

/** Imports the files, and returns the result by their paths. */
export async function readFiles(
  from: string,
  files: readonly string[],
  map: Partial<ImportMap> = {},
): Promise<Read> {
  const source = allSources.find(({ name }) => name === from);
  if (source === undefined) throw new Error(`no source ${from}`);
  const losses: string[] = [];
  const spool = openSpool();
  const reading = readExport(files, {
    source,
    map: { ...noMap, ...map },
    spool,
    lose: ({ object, member, reason }) =>
      losses.push(`${object} · ${member} · ${typeof reason === "string" ? reason : reason.code}`),
    onRead() {},
  });
  const { records } = await reading.catch((error: unknown) => {
    // For the tests' damaged files, from which nothing can be imported.
    if (error instanceof OtherSystem)
      return { records: { organizations: [], roles: [], groups: [], providers: [], apps: [] } };
    throw error;
  });
  const lines: string[] = [];
  for (const line of spool.lines()) lines.push(line);
  spool.close();
  return { people: lines.map((line) => JSON.parse(line)), ...records, losses };
}

/** Imports a single text in the same way. */
export async function readText(
  from: string,
  text: string | Uint8Array,
  map?: Partial<ImportMap>,
): Promise<Read> {
  const file = join(temporaryFolder(), "export");
  writeFileSync(file, text);
  return readFiles(from, [file], map);
}

/** Returns whether the user signs in with the password against the exported hash. */
export async function signsIn({ password }: MovedPerson, typed: string): Promise<boolean> {
  if (password === undefined) return false;
  const text = "hash" in password ? password.hash : password.argon2id;
  return verifyForeignHash(readForeignHash(text), typed);
}

/** Returns the user with this address. */
export function personOf({ people }: Read, email: string): MovedPerson {
  const person = people.find((each) => each.email === email);
  if (person === undefined) throw new Error(`no person ${email}`);
  return person;
}
