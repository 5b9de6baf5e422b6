import type { Database } from "../database/database.ts";

export interface PasskeyHost {
  readonly rp_id: string;
  readonly passkeys: number;
}

export function passkeyHostRules({ driver }: Database) {
  return {
    async passkeyHosts(): Promise<PasskeyHost[]> {
      const rows = await driver.all(
        "SELECT rp_id, COUNT(*) AS passkeys FROM passkeys GROUP BY rp_id ORDER BY rp_id",
        [],
      );
      return rows.map(({ rp_id, passkeys }) => ({ rp_id: String(rp_id), passkeys: Number(passkeys) }));
    },
  };
}
