/**
 * Queues HTTP messages to applications (deliveries). Two processes never send the same delivery at the same
 * time (FO-1). If a delivery fails, only later ones about the same subject to the same target wait for it.
 */
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { Row } from "../../records/definition/definition.ts";
import { type DeliveryState, deliveriesKept } from "../../records/names/deliveries.ts";
import { timeOfId } from "../../records/names/ids.ts";
import { aheadOf, clocksDiffer, lastMoment } from "../../records/names/liveness.ts";
import { batchQueue } from "../database/batch_queue.ts";
import type { Database, Transaction } from "../database/database.ts";
import { jsonRows } from "../database/json_rows.ts";
import { allColumns, arg, columnNames, statement } from "../database/statement.ts";
import { storableText } from "../database/storable_text.ts";

export type Delivery = Row<"deliveries">;

/** In milliseconds: longer than sending may take, plus the difference between two clocks. */
const lease = clocksDiffer + 12_000;

export interface AttemptResult {
  readonly last_status: number | null;
  readonly last_fault: string | null;
}

type Settled = Omit<Delivery, "due_at" | "expires_at"> & {
  readonly due_at: Date | null;
  readonly expires_at: Date | null;
};

interface Job {
  readonly row: Settled;
  readonly at: Date;
  readonly tries: number;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

const mostTries = 32;
const pauseOfTries = 250;

const longestFault = 500;

/** In milliseconds. More commits would delay sign-ins, which wait for the same disk. */
const betweenCommits = 25;

const waits: DeliveryState = "waiting";

/**
 * Returns a time in milliseconds for the ID of the target's next delivery. Deliveries about a subject are
 * sent in the order of IDs, so the ID must be greater than those of earlier deliveries.
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
  const { dialect, driver } = database;
  const due = statement<Delivery>(dialect, "deliveries", (query) =>
    query
      .selectFrom("deliveries")
      .select(columnNames("deliveries"))
      // A literal, because the partial index is used only for a literal.
      .where("state", "=", sql.lit(waits))
      .where("due_at", "<=", arg.time("now"))
      .where(sql<boolean>`(claimed_by IS NULL OR claimed_until <= ${arg.time("now")})`)
      .where(sql<boolean>`target_id NOT IN (${dialect.idsOf(arg.string("passed_over"))})`)
      // PostgreSQL never turns a subquery with OFFSET into a join. In a join, it may compare every pending
      // row with every other one, before it has statistics of the table.
      .where(
        sql<boolean>`NOT EXISTS (SELECT 1 FROM deliveries AS earlier
            WHERE earlier.target_id = deliveries.target_id AND earlier.subject_key = deliveries.subject_key
              AND earlier.state = ${sql.lit(waits)} AND earlier.id < deliveries.id
            LIMIT 1 OFFSET 0)`,
      )
      .orderBy("due_at")
      .limit(arg.int("most")),
  );
  const { rows: given, encode } = jsonRows(dialect, "deliveries");
  const isWaiting = sql<boolean>`d.state = ${sql.lit(waits)}`;
  // Other deliveries do not wait for rows that another database session has locked.
  const claim = statement<Delivery>(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET claimed_by = ${arg.uuid("claimed_by")}, claimed_until = ${arg.time("claimed_until")}
      WHERE id IN (SELECT d.id FROM (${given}) AS g JOIN deliveries AS d ON d.id = g.id
        WHERE ${isWaiting} AND d.attempt = g.attempt AND d.claimed_until IS NOT DISTINCT FROM g.claimed_until
        ${dialect.skipLocked("d")})
      RETURNING ${allColumns("deliveries")}`,
  );
  // If another process has claimed the delivery in the meantime, `claimed_by` or `claimed_until` differs.
  const isMine = sql<boolean>`${isWaiting} AND d.claimed_by = g.claimed_by AND d.claimed_until = g.claimed_until`;
  const settle = statement<{ id: string }>(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET state = g.state, attempt = g.attempt, last_status = g.last_status,
        last_fault = g.last_fault, due_at = coalesce(g.due_at, deliveries.due_at),
        expires_at = coalesce(g.expires_at, deliveries.expires_at), claimed_until = ${arg.time("now")}, claimed_by = NULL
      FROM (SELECT g.* FROM (${given}) AS g JOIN deliveries AS d ON d.id = g.id WHERE ${isMine}
        ${dialect.skipLocked("d")}) AS g
      WHERE deliveries.id = g.id RETURNING deliveries.id`,
  );
  const locked = statement<{ id: string }>(
    dialect,
    "deliveries",
    () => sql`SELECT d.id FROM (${given}) AS g JOIN deliveries AS d ON d.id = g.id WHERE ${isMine}`,
  );
  const postponeSubjects = statement(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET due_at = g.due_at
      FROM (SELECT d.id, g.due_at FROM (${given}) AS g JOIN deliveries AS d
        ON d.target_id = g.target_id AND d.subject_key = g.subject_key
        WHERE ${isWaiting} AND d.due_at < g.due_at ${dialect.skipLocked("d")}) AS g
      WHERE deliveries.id = g.id`,
  );
  // These due times were stored before the clock was set back. After a first attempt, a later due time is
  // normal, so `claimed_until` must be in the future too.
  const hasten = statement(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET due_at = ${arg.time("now")}, claimed_until = NULL
      WHERE id IN (SELECT d.id FROM deliveries AS d WHERE ${isWaiting} AND d.due_at > ${arg.time("ahead")}
        AND d.due_at < ${arg.time("held")} AND d.claimed_by IS NULL
        AND (d.attempt = 0 OR d.claimed_until > ${arg.time("ahead")}) ${dialect.skipLocked("d")})`,
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

  async function write(batch: readonly Settled[], now: Date): Promise<ReadonlySet<string>> {
    const found = await database.transaction(async (tx) => {
      const settled = await settle.all(tx.connection, { rows: batch.map(encode), now });
      const ids = new Set(settled.map(({ id }) => id));
      const postponed = batch.filter(({ id, due_at }) => due_at !== null && ids.has(id));
      if (postponed.length > 0) await postponeSubjects.run(tx.connection, { rows: postponed.map(encode) });
      const missed = batch.filter(({ id }) => !ids.has(id));
      return missed.length === 0 ? [] : await locked.all(tx.connection, { rows: missed.map(encode) });
    });
    return new Set(found.map(({ id }) => id));
  }

  let queued = 0;
  const outcomes = batchQueue<Job>({
    async commit(batch) {
      queued -= batch.length;
      try {
        const latest = Math.max(...batch.map(({ at }) => at.getTime()));
        const held = await write(
          batch.map(({ row }) => row),
          new Date(latest),
        );
        for (const job of batch) {
          if (!held.has(job.row.id) || job.tries === mostTries) job.resolve();
          else setTimeout(() => queue({ ...job, tries: job.tries + 1 }), pauseOfTries).unref();
        }
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (queued > 0) await pause(betweenCommits, undefined, { ref: false });
    },
  });
  function queue(job: Job): void {
    queued += 1;
    outcomes.add(job);
  }
  const written = (row: Settled, at: Date): Promise<void> =>
    new Promise((resolve, reject) => {
      // A text that the database rejects would fail the whole batch.
      const last_fault = row.last_fault === null ? null : storableText(row.last_fault, longestFault);
      queue({ row: { ...row, last_fault }, at, tries: 1, resolve, reject });
    });

  let looked: { readonly wall: number; readonly steady: number } | undefined;
  /**
   * Returns whether the clock was set back since the last call. The first call returns true, because there is
   * no earlier time to compare with.
   */
  function isSetBack(now: Date): boolean {
    const [wall, steady] = [now.getTime(), performance.now()];
    const passed = looked && wall - looked.wall - (steady - looked.steady);
    looked = { wall, steady };
    return passed === undefined || passed < -clocksDiffer;
  }

  return {
    afterDeliveriesTo,

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
     * Call it before several sessions of a user end together, or before the user is deleted. The transaction
     * must hold the user's lock.
     */
    notifyOfEnds: (
      tx: Pick<Transaction, "connection">,
      user_id: string,
      at: Date,
      except?: string,
    ): Promise<void> => database.notices.ofUser(tx.connection, user_id, at, { except }),

    async dueDeliveries(now: Date, most: number, passed_over: readonly string[]): Promise<Delivery[]> {
      if (isSetBack(now))
        await driver.runBatch([hasten.prepare({ now, ahead: aheadOf(now), held: lastMoment })]);
      return due.all(database.driver, { now, most, passed_over: JSON.stringify(passed_over) });
    },

    /**
     * Returns the deliveries that no other process has claimed. The number of the attempt is stored only with
     * its result, so an attempt that a shutdown interrupts does not count.
     */
    async claimDeliveries(
      due: readonly Pick<Delivery, "id" | "attempt" | "claimed_until">[],
      claimed_by: string,
      now: Date,
    ): Promise<Delivery[]> {
      if (due.length === 0) return [];
      const claimed_until = new Date(now.getTime() + lease);
      const rows = due.map(encode);
      const claimed = await database.transaction((tx) =>
        claim.all(tx.connection, { rows, claimed_by, claimed_until }),
      );
      return claimed.map((row) => ({ ...row, attempt: row.attempt + 1 }));
    },

    /** Stores nothing if another process has claimed the delivery since. */
    finishDelivery(
      claimed: Delivery,
      state: Exclude<DeliveryState, "waiting">,
      result: AttemptResult,
      now: Date,
    ): Promise<void> {
      const expires_at = new Date(now.getTime() + deliveriesKept[state]);
      return written({ ...claimed, state, ...result, due_at: null, expires_at }, now);
    },

    /**
     * Also postpones later deliveries about the same subject. With `lastMoment`, the failed delivery never
     * expires.
     */
    postponeDelivery: (claimed: Delivery, result: AttemptResult, due_at: Date, now: Date): Promise<void> =>
      written({ ...claimed, ...result, due_at, expires_at: due_at === lastMoment ? lastMoment : null }, now),
  };
}
