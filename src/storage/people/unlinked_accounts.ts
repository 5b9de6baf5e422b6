/** Records which links to accounts at providers were recently removed (EP-11). */
import { hasPassed } from "../../records/names/liveness.ts";
import type { Verbs } from "../database/verbs.ts";

/**
 * Milliseconds for which a removal is recorded: as long as a proof that a user controls the account stays
 * valid.
 */
const kept = 10 * 60_000;

export function unlinkedRules(newId: (now: Date) => string) {
  return {
    /**
     * Marks an account as unlinked, in the transaction that removes the link, so earlier proofs for it become
     * void.
     */
    async markUnlinked(tx: Pick<Verbs, "remove" | "insert">, key: Buffer, at: Date): Promise<void> {
      await tx.remove("ephemera", { kind: "unlinked", key });
      await tx.insert("ephemera", {
        id: newId(at),
        kind: "unlinked",
        key,
        value: String(at.getTime()),
        count: 1,
        expires_at: new Date(at.getTime() + kept),
        created_at: at,
      });
    },
    /**
     * Returns whether a link of the account was removed at this time (milliseconds since 1970) or later. Call
     * it after looking up the link; a concurrent removal then appears in at least one of the two look-ups.
     */
    async wasUnlinkedSince(
      reads: Pick<Verbs, "find">,
      key: Buffer,
      since: number,
      now: Date,
    ): Promise<boolean> {
      const row = await reads.find("ephemera", { kind: "unlinked", key });
      return row !== undefined && !hasPassed(row.expires_at, now) && Number(row.value) >= since;
    },
  };
}
