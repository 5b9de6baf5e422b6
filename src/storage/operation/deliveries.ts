/**
 * The outbox: deliveries are rows written in the transaction that causes them, and each attempt belongs to
 * one process (FO-1). Deliveries about one subject reach a target in order; a subject that cannot be
 * delivered delays only itself.
 */
import { sql } from "kysely";
import type { Row } from "../../records/definition/definition.ts";
import { type DeliveryState, deliveriesKept } from "../../records/names/deliveries.ts";
import { timeOfId } from "../../records/names/ids.ts";
import type { Database, Transaction } from "../database/database.ts";
import { arg, columnNames, statement } from "../database/statement.ts";

export type Delivery = Row<"deliveries">;

/**
 * Milliseconds for which an attempt excludes other processes: longer than an attempt may take. If its
 * process is killed, another one continues afterwards.
 */
const lease = 20_000;

export interface AttemptResult {
  readonly last_status: number | null;
  readonly last_fault: string | null;
}

const waits: DeliveryState = "waiting";

/**
 * Returns the milliseconds for the id of the next delivery to a target. It follows all earlier ones,
 * whichever process wrote them, because ids order the deliveries about a subject.
 */
export async function afterDeliveriesTo(
  tx: Pick<Transaction, "list">,
  target_id: string,
  at: Date,
): Promise<number> {
  const [last] = await tx.list("deliveries", { target_id }, { descending: true, limit: 1 });
  return Math.max(at.getTime(), last === undefined ? 0 : timeOfId(last.id) + 1);
}

export function deliveryRules(database: Database, newId: (now: Date) => string) {
  const { dialect } = database;
  const due = statement<Delivery>(dialect, "deliveries", (query) =>
    query
      .selectFrom("deliveries")
      .select(columnNames("deliveries"))
      // A literal: with a parameter, the index of pending rows would not be used.
      .where("state", "=", sql.lit(waits))
      .where("due_at", "<=", arg.time("now"))
      .where(sql<boolean>`(claimed_until IS NULL OR claimed_until <= ${arg.time("now")})`)
      .where(sql<boolean>`target_id NOT IN (${dialect.idsOf(arg.string("passed_over"))})`)
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM deliveries AS earlier
            WHERE earlier.target_id = deliveries.target_id AND earlier.subject_key = deliveries.subject_key
              AND earlier.state = ${sql.lit(waits)} AND earlier.id < deliveries.id)`,
      )
      .orderBy("due_at")
      .limit(arg.int("most")),
  );
  const postponeSubject = statement(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET due_at = ${arg.time("due_at")}
      WHERE target_id = ${arg.uuid("target_id")} AND subject_key = ${arg.string("subject_key")}
        AND state = ${sql.lit(waits)} AND due_at < ${arg.time("due_at")}`,
  );
  const noteApp = statement(dialect, "session_apps", (query) =>
    query
      .insertInto("session_apps")
      .values({
        id: arg.uuid("id"),
        session_id: arg.uuid("session_id"),
        app_id: arg.uuid("app_id"),
        first_at: arg.time("first_at"),
      })
      .onConflict((conflict) => conflict.columns(["session_id", "app_id"]).doNothing()),
  );

  /** Selects the row as this attempt claimed it; a later claim has a different process or lease. */
  const mine = ({ id, claimed_by, claimed_until }: Delivery) => ({
    id,
    claimed_by,
    claimed_until,
    state: waits,
  });

  return {
    afterDeliveriesTo,

    /**
     * Records, in the transaction that issues a code, that the app must be notified when the session ends.
     */
    async noteSessionApp(
      tx: Pick<Transaction, "connection" | "changed">,
      session_id: string,
      app_id: string,
      first_at: Date,
    ): Promise<void> {
      tx.changed("session_apps");
      await noteApp.run(tx.connection, { id: newId(first_at), session_id, app_id, first_at });
    },

    /**
     * Writes the notices of all of a user's sessions except `except`, in a transaction that holds the
     * user's lock. Use it if the rows of the sessions and the user do not record the end.
     */
    notifyOfEnds: (
      tx: Pick<Transaction, "connection">,
      user_id: string,
      at: Date,
      except?: string,
    ): Promise<void> => database.notices.ofUser(tx.connection, user_id, at, { except }),

    /**
     * Returns up to `most` due deliveries, the longest overdue first, except those to the targets
     * `passed_over`.
     */
    dueDeliveries(now: Date, most: number, passed_over: readonly string[]): Promise<Delivery[]> {
      return due.all(database.driver, { now, most, passed_over: JSON.stringify(passed_over) });
    },

    /**
     * Claims attempts for one process in one commit. Returns those that no other process has claimed, each with its
     * number. The number is stored with the result, so an attempt cut short by a shutdown does not count. Rows are
     * locked in the order of their ids.
     */
    async claimDeliveries(
      due: readonly Pick<Delivery, "id" | "attempt" | "claimed_until">[],
      claimed_by: string,
      now: Date,
    ): Promise<Delivery[]> {
      if (due.length === 0) return [];
      const claimed_until = new Date(now.getTime() + lease);
      return database.transaction(async (tx) => {
        const claimed: Delivery[] = [];
        for (const { id, attempt, claimed_until: before } of due.toSorted((one, other) =>
          one.id < other.id ? -1 : 1,
        )) {
          const free = { id, attempt, claimed_until: before, state: waits };
          claimed.push(...(await tx.change("deliveries", free, { claimed_by, claimed_until })));
        }
        return claimed.map((row) => ({ ...row, attempt: row.attempt + 1 }));
      });
    },

    /** Completes a delivery, unless its lease has expired and another attempt has begun. */
    async finishDelivery(
      claimed: Delivery,
      state: Exclude<DeliveryState, "waiting">,
      result: AttemptResult,
      now: Date,
    ): Promise<void> {
      const expires_at = new Date(now.getTime() + deliveriesKept[state]);
      const { attempt } = claimed;
      const ended = { state, attempt, ...result, expires_at, claimed_until: null, claimed_by: null };
      await database.update("deliveries", mine(claimed), ended);
    },

    /** Postpones a delivery, and those queued after it, to a later attempt. */
    async postponeDelivery(claimed: Delivery, result: AttemptResult, due_at: Date): Promise<void> {
      await database.transaction(async (tx) => {
        const { target_id, subject_key, attempt } = claimed;
        const freed = { attempt, ...result, due_at, claimed_until: null, claimed_by: null };
        if ((await tx.update("deliveries", mine(claimed), freed)) === 0) return;
        await postponeSubject.run(tx.connection, { target_id, subject_key, due_at });
      });
    },
  };
}
