/** Records recently removed links to accounts at providers (EP-11). */
import { hasPassed } from "../../records/names/liveness.ts";
import type { Verbs } from "../database/verbs.ts";

/** In milliseconds: the lifetime of a proof of control over the account. */
const kept = 10 * 60_000;

export function unlinkedRules(newId: (now: Date) => string) {
  return {
    /** Call it in the transaction that removes the link. */
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
     * `since` is in Unix milliseconds. Call it after looking up the link, so that a concurrent removal is
     * noticed.
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
