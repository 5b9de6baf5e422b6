/**
 * Queues emails in the transaction of the change that they report, so no crash loses one
 * (docs/decisions/operations.md).
 */
import { hasPassed } from "../../records/names/liveness.ts";
import type { Database, Transaction } from "../database/database.ts";
import { waitingRows } from "../database/waiting_rows.ts";

const kind = "mail";

const minute = 60_000;
/** Milliseconds between two attempts; later pauses are `longestPause`. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;
/** In milliseconds, longer than sending takes. */
const lease = 15 * minute;
const mostClaimed = 4;

export interface MailTry {
  /** The encrypted email. */
  readonly mail: string;
  readonly row_id: string;
  readonly tries: number;
}

interface Content {
  /** When the next attempt is due, in Unix milliseconds. */
  readonly due: number;
  readonly mail: string;
}

const contentText = (content: Content): string => JSON.stringify(content);

export function outboxRules(database: Database, newId: (now: Date) => string) {
  const waiting = waitingRows(database, kind);
  return {
    /** Stores an encrypted email under the first free one of these keys. Returns false if all are used. */
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

    /** Each email is returned to one caller only. */
    async claimMails(now: Date): Promise<MailTry[]> {
      const claimed: MailTry[] = [];
      for await (const { id: row_id, count, value, expires_at } of waiting()) {
        if (claimed.length === mostClaimed) break;
        if (value === null || hasPassed(expires_at, now)) continue;
        const { due, mail } = JSON.parse(value) as Content;
        const pause = due - now.getTime();
        // A first attempt in the future, or a pause longer than `longestPause`, means that the clock was set
        // back. The email is then due (docs/decisions/operations.md).
        if (count > 0 && pause > 0 && pause <= longestPause) continue;
        const tries = count + 1;
        const taken = { count: tries, value: contentText({ due: now.getTime() + lease, mail }) };
        // The condition on the value detects a concurrent claim, because the value contains the due time.
        if ((await database.update("ephemera", { id: row_id, count, value }, taken)) === 0) continue;
        claimed.push({ mail, row_id, tries });
      }
      return claimed;
    },

    async postponeMail({ row_id, tries: count, mail }: MailTry, now: Date): Promise<void> {
      const due = now.getTime() + (pauses[count - 1] ?? longestPause);
      await database.update("ephemera", { id: row_id, count }, { value: contentText({ due, mail }) });
    },

    async forgetMail({ row_id }: Pick<MailTry, "row_id">): Promise<void> {
      await database.remove("ephemera", { id: row_id, kind });
    },
  };
}
