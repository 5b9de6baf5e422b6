import type { Database } from "../database/database.ts";

/** A host that passkeys are for, and how many there are of it. */
export interface PasskeyHost {
  readonly rp_id: string;
  readonly passkeys: number;
}

export function passkeyHostRules({ driver }: Database) {
  return {
    /** The hosts of all passkeys; counts every one. */
    async passkeyHosts(): Promise<PasskeyHost[]> {
      const rows = await driver.all(
        "SELECT rp_id, COUNT(*) AS passkeys FROM passkeys GROUP BY rp_id ORDER BY rp_id",
        [],
      );
      return rows.map(({ rp_id, passkeys }) => ({ rp_id: String(rp_id), passkeys: Number(passkeys) }));
    },
  };
}
