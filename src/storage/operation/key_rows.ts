/** Stores signing keys: the current key, the next one, and retired keys until they can be removed (D-4). */

import type { NewRow, SigningKeyRow } from "../../records/definition/definition.ts";
import { stateOfSigningKey } from "../../records/names/liveness.ts";
import { signingKeysLock } from "../../records/names/lock_names.ts";
import type { Database } from "../database/database.ts";

export function keyRules(database: Database) {
  return {
    listSigningKeys: (): Promise<SigningKeyRow[]> => database.list("signing_keys"),

    /** Does nothing if there is a key of the same algorithm, for example because another process added it. */
    async addFirstSigningKey(key: NewRow<"signing_keys"> & Pick<SigningKeyRow, "algorithm">) {
      await database.transaction(async (tx) => {
        await tx.lock(signingKeysLock());
        if ((await tx.count("signing_keys", { algorithm: key.algorithm })) === 0)
          await tx.insert("signing_keys", key);
      });
    },

    /**
     * Retires the current keys of the same algorithm when the new one becomes active. Retired keys leave the
     * public key set `longest_token_ttl` seconds later.
     */
    async addNextSigningKey(
      key: NewRow<"signing_keys"> & Pick<SigningKeyRow, "algorithm">,
      longest_token_ttl: number,
    ) {
      await database.transaction(async (tx) => {
        await tx.lock(signingKeysLock());
        const retires_at = key.activates_at;
        const expires_at = new Date(retires_at.getTime() + longest_token_ttl * 1000);
        const before = await tx.list("signing_keys", { algorithm: key.algorithm });
        for (const { id, activates_at, retires_at: retired } of before) {
          const unused = activates_at > key.created_at;
          if (unused) await tx.remove("signing_keys", { id });
          // The current key now retires when the new key becomes active, so that a key can always sign.
          else if (retired === null || retired > key.created_at) {
            await tx.update("signing_keys", { id }, { retires_at, expires_at });
          }
        }
        await tx.insert("signing_keys", key);
      });
    },

    async removeExpiredSigningKeys(now: Date): Promise<number> {
      return database.transaction(async (tx) => {
        await tx.lock(signingKeysLock());
        let removed = 0;
        for (const key of await tx.list("signing_keys")) {
          if (stateOfSigningKey(key, now) === "expired")
            removed += await tx.remove("signing_keys", { id: key.id });
        }
        return removed;
      });
    },
  };
}
