/**
 * Mails that hold the only link that undoes a change, in the table `ephemera`: written in the transaction of
 * the change, so that no crash and no mail server forgets them (docs/decisions/operations.md).
 */
import { hasPassed } from "../../records/names/liveness.ts";
import type { Database, Transaction } from "../database/database.ts";
import { waitingRows } from "../database/waiting_rows.ts";

const kind = "mail";

const minute = 60_000;
/** How long after a failed try the next one is due, milliseconds; the last one again and again. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;
/**
 * For how long a try keeps others away, milliseconds: longer than a delivery may take. A process that ends in
 * the middle of one leaves the mail to any other after it.
 */
const lease = 15 * minute;
/** Tries that are claimed at once. */
const mostClaimed = 4;

/** A try to send a mail, which one process alone makes. */
export interface MailTry {
  /** The mail, sealed. */
  readonly mail: string;
  readonly row_id: string;
  /** Tries so far, this one included. */
  readonly tries: number;
}

interface Content {
  /** When the next try is due, milliseconds since 1970. */
  readonly due: number;
  readonly mail: string;
}

const contentText = (content: Content): string => JSON.stringify(content);

export function outboxRules(database: Database, newId: (now: Date) => string) {
  const waiting = waitingRows(database, kind);
  return {
    /** Keeps a sealed mail under the first of these keys that is free; false if none is. */
    async enqueueMail(
      tx: Transaction,
      keys: readonly Buffer[],
      { mail, expires_at }: { readonly mail: string; readonly expires_at: Date },
      now: Date,
    ): Promise<boolean> {
      for (const key of keys) {
        const row = await tx.find("ephemera", { kind, key });
        if (row !== undefined && !hasPassed(row.expires_at, now)) continue;
        if (row !== undefined) await tx.remove("ephemera", { id: row.id });
        const value = contentText({ due: now.getTime(), mail });
        const id = newId(now);
        await tx.insert("ephemera", { id, kind, key, value, count: 0, expires_at, created_at: now });
        return true;
      }
      return false;
    },

    /** The tries that are due, a few at a time, each for one caller alone. */
    async claimMails(now: Date): Promise<MailTry[]> {
      const claimed: MailTry[] = [];
      for await (const { id: row_id, count, value, expires_at } of waiting()) {
        if (claimed.length === mostClaimed) break;
        if (value === null || hasPassed(expires_at, now)) continue;
        const { due, mail } = JSON.parse(value) as Content;
        // A pause that is longer than the longest was noted by a clock that was ahead (docs/decisions/operations.md).
        const pause = due - now.getTime();
        // The first attempt has none: the clock was set back since.
        if (count > 0 && pause > 0 && pause <= longestPause) continue;
        const tries = count + 1;
        const taken = { count: tries, value: contentText({ due: now.getTime() + lease, mail }) };
        // The due moment of a failed try is another one, too: both are compared.
        if ((await database.update("ephemera", { id: row_id, count, value }, taken)) === 0) continue;
        claimed.push({ mail, row_id, tries });
      }
      return claimed;
    },

    /** After a try that failed: says when the next one is due. */
    async postponeMail({ row_id, tries: count, mail }: MailTry, now: Date): Promise<void> {
      const due = now.getTime() + (pauses[count - 1] ?? longestPause);
      await database.update("ephemera", { id: row_id, count }, { value: contentText({ due, mail }) });
    },

    /** Forgets a mail that the mail server took. */
    async forgetMail({ row_id }: Pick<MailTry, "row_id">): Promise<void> {
      await database.remove("ephemera", { id: row_id, kind });
    },
  };
}
