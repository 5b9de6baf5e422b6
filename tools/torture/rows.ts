/** Checks that a killed server left no partial write in the database. */
import { DatabaseSync } from "node:sqlite";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";

/** Returns contradictory rows, as sentences. */
export async function halvesIn(address: DatabaseAddress): Promise<string[]> {
  const store = await openStore(address, { connections: 1 });
  const faults: string[] = [];
  try {
    const rows = await store.list("oauth_tokens");
    const families = Map.groupBy(
      rows.filter(({ user_id }) => user_id !== null),
      ({ family_id }) => family_id,
    );
    for (const [family_id, members] of families) {
      const redeemable = members.filter(({ rotated_at, revoked }) => rotated_at === null && !revoked).length;
      const ended = members.some(({ rotated_at, revoked }) => rotated_at === null && revoked);
      if (redeemable !== (ended ? 0 : 1))
        faults.push(`the family ${family_id} has ${redeemable} live branches`);
    }
    for (const { id, used } of await store.list("oauth_auth_codes")) {
      if (used === families.has(id)) continue;
      const fault = used
        ? "marked as used, but no token was issued for it"
        : "not marked as used, although a token was issued for it";
      faults.push(`the code ${id} is ${fault}`);
    }
  } finally {
    await store.close();
  }
  return address.kind === "sqlite" ? [...faults, ...fileFaults(address.path)] : faults;
}

function fileFaults(path: string): string[] {
  const database = new DatabaseSync(path);
  try {
    const [answer] = database.prepare("PRAGMA integrity_check").all();
    return answer?.integrity_check === "ok" ? [] : [`integrity_check: ${answer?.integrity_check}`];
  } finally {
    database.close();
  }
}
