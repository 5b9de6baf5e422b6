/**
 * Kills a process that issues tokens, again and again, and looks at what it left behind:
 * `node test/faults/torture.ts [rounds]`, a hundred of them unless the command says otherwise. Exit code 1 when anything
 * that was answered is lost, or anything is half written.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { accessTokenSignature, credentialPrefix, findSignature } from "../../src/crypto/credentials.ts";
import { type DatabaseAddress, openStore, type Store } from "../../src/storage/store.ts";
import { temporaryFolder } from "../support/temp.ts";

/** The access token and the refresh token of one answer. */
type Answer = readonly [string, string | null];

/** Lets a process issue tokens on a new database and kills it after so many answers; those it gave. */
async function killedAfter(answers: number, address: DatabaseAddress): Promise<Answer[]> {
  const program = join(import.meta.dirname, "issuing_process.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(address)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const given: Answer[] = [];
  // A line that the kill cut short was answered to nobody.
  for await (const line of createInterface(child.stdout)) {
    if (line.endsWith("]")) given.push(JSON.parse(line) as Answer);
    if (given.length === answers) child.kill("SIGKILL");
  }
  const [code, signal] = await ended;
  if (signal !== "SIGKILL") throw new Error(`the process ended by itself with ${code}`);
  return given;
}

/** What is wrong with the database that a killed process left behind; nothing, if all is well. */
async function faultsOf(store: Store, given: readonly Answer[]): Promise<string[]> {
  const faults: string[] = [];
  const rows = await store.list("oauth_tokens");
  const byAccess = new Map(rows.map((row) => [row.access_token_signature.toString("hex"), row]));
  for (const [access_token, refresh_token] of given) {
    const row = byAccess.get(accessTokenSignature(access_token)?.toString("hex") ?? "");
    if (row === undefined) {
      faults.push("an answered access token is lost");
      continue;
    }
    const expected =
      refresh_token === null ? undefined : findSignature(credentialPrefix.refresh_token, refresh_token);
    if (row.refresh_token_signature?.toString("hex") !== expected?.toString("hex")) {
      faults.push(`the row ${row.id} has another refresh token than was answered`);
    }
  }
  const families = Map.groupBy(
    rows.filter((row) => row.user_id !== null),
    (row) => row.family_id,
  );
  for (const [family_id, members] of families) {
    const spendable = members.filter((row) => row.rotated_at === null && !row.revoked);
    if (spendable.length !== 1) faults.push(`the family ${family_id} has ${spendable.length} live branches`);
  }
  for (const code of await store.list("oauth_auth_codes")) {
    if (code.used !== families.has(code.id)) {
      faults.push(
        `the code ${code.id} is ${code.used ? "spent for nothing" : "unspent though it bought a token"}`,
      );
    }
  }
  return faults;
}

function fileFaults({ path }: { path: string }): string[] {
  const database = new DatabaseSync(path);
  try {
    const [answer] = database.prepare("PRAGMA integrity_check").all();
    return answer?.integrity_check === "ok" ? [] : [`integrity_check: ${answer?.integrity_check}`];
  } finally {
    database.close();
  }
}

/** One life and death of a process on a new database; what is wrong afterwards. */
export async function torture(address: DatabaseAddress, answers: number): Promise<string[]> {
  const given = await killedAfter(answers, address);
  const store = await openStore(address);
  try {
    const faults = await faultsOf(store, given);
    if (given.length < answers) faults.push(`only ${given.length} answers were given`);
    return address.kind === "sqlite" ? [...faults, ...fileFaults(address)] : faults;
  } finally {
    await store.close();
  }
}

if (import.meta.main) {
  const rounds = Number(process.argv[2] ?? 100);
  for (let round = 1; round <= rounds; round++) {
    const answers = 1 + Math.floor(Math.random() * 300);
    const path = join(temporaryFolder(), "postern.db");
    const faults = await torture({ kind: "sqlite", path }, answers);
    console.log(
      `round ${round} of ${rounds}, killed after ${answers} answers: ${faults.join("; ") || "nothing lost"}`,
    );
    if (faults.length > 0) process.exitCode = 1;
  }
}
