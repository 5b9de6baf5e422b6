/** Deletes rows that have ended since the last call, without a scan of the active ones. */
import { setImmediate as giveWay } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import { sweepLock } from "../../records/names/lock_names.ts";
import type { Database, Transaction } from "../database/database.ts";
import { firstId, idBefore } from "../database/ids.ts";
import { arg, statement } from "../database/statement.ts";
import { dead, deadRows, familyLives, type Moments, never, past, type Swept } from "./conditions.ts";

type SweepEnded = (table: Swept, moments: Moments, batch: number, batches: number) => Promise<number>;

interface Ended {
  readonly ends: number | Date;
  readonly family_id: string | null;
}

/**
 * SQL for the time when both the access token and the refresh token have expired; null without a refresh
 * token. It must match the index of migration 42.
 */
export const laterEnd = sql`(CASE WHEN t.access_expires_at > t.refresh_expires_at
  THEN t.access_expires_at ELSE t.refresh_expires_at END)`;

export function sweepEnded(database: Database): SweepEnded {
  const { dialect } = database;

  /** `of` is the condition of the partial index on the end time. */
  function byEnd(
    table: "oauth_tokens" | "ephemera" | "devices",
    end: RawBuilder<unknown>,
    of: RawBuilder<unknown>,
  ) {
    const after = sql`${of} AND ${end} > ${arg.time("after")}`;
    const make = (write: Parameters<typeof statement<Ended>>[2]) =>
      statement<Ended>(dialect, table as TableName, write);
    const bound = make(
      () =>
        sql`SELECT ${end} AS ends FROM ${sql.table(table)} AS t WHERE ${after} AND ${end} <= ${arg.time("now")}
          ORDER BY ${end} LIMIT 1 OFFSET ${arg.int("skip")}`,
    );
    // Other rows of the token families (all tokens of one authorization) of deleted tokens may be deletable
    // now.
    const family =
      table === "oauth_tokens" ? sql`CASE WHEN user_id IS NULL THEN NULL ELSE family_id END` : sql`NULL`;
    const remove = make(
      () => sql`DELETE FROM ${sql.table(table)}
        WHERE id IN (${deadRows(table, sql`${after} AND ${end} <= ${arg.time("bound")}`)})
        RETURNING ${family} AS family_id`,
    );
    let reached = never;
    return async (moments: Moments, batch: number, batches: number) => {
      // If the clock was set back, more rows can end at times that the sweep has already passed.
      if (reached > moments.now) reached = never;
      let gone = 0;
      for (let turn = 0; turn < batches && reached < moments.now; turn++) {
        const found = await bound.first(database.driver, { after: reached, skip: batch - 1, ...moments });
        const end = found === undefined ? moments.now : new Date(found.ends);
        const args = { ...moments, after: reached, bound: end };
        const rows = await inTurn((tx) => remove.all(tx.connection, args));
        reached = end;
        gone += rows.length;
        const families = new Set(rows.flatMap(({ family_id }) => family_id ?? []));
        if (families.size > 0) gone += await sweepFamilies([...families], moments, batch);
        if (found === undefined) break;
        await giveWay();
      }
      return gone;
    };
  }

  const ofFamilies = sql`(${dialect.idsOf(arg.string("families"))})`;
  const endedFamilies = statement<{ id: string }>(
    dialect,
    "oauth_tokens",
    () => sql`SELECT f.id FROM ${ofFamilies} AS f WHERE NOT ${familyLives("f.id")}`,
  );
  const spentTokens = statement<unknown>(
    dialect,
    "oauth_tokens",
    () => sql`DELETE FROM oauth_tokens WHERE id IN (
      SELECT t.id FROM oauth_tokens AS t
      WHERE t.family_id IN ${ofFamilies} AND t.user_id IS NOT NULL AND ${past.oauth_tokens} LIMIT ${arg.int("batch")})`,
  );
  const spentCodes = statement<unknown>(
    dialect,
    "oauth_auth_codes",
    () => sql`DELETE FROM oauth_auth_codes AS t WHERE t.id IN ${ofFamilies} AND ${past.oauth_auth_codes}`,
  );

  /**
   * Deletes all expired rows of the families in `ids` that have no active token, because no later call would
   * find them.
   */
  async function sweepFamilies(ids: readonly string[], moments: Moments, batch: number) {
    const requested = { ...moments, families: JSON.stringify(ids) };
    const ended = await endedFamilies.all(database.driver, requested);
    if (ended.length === 0) return 0;
    const args = { ...moments, families: JSON.stringify(ended.map(({ id }) => id)), batch };
    let gone = await inTurn((tx) => spentCodes.run(tx.connection, args));
    for (;;) {
      const removed = await inTurn((tx) => spentTokens.run(tx.connection, args));
      gone += removed;
      if (removed < batch) return gone;
      await giveWay();
    }
  }

  function byId(table: Exclude<Swept, "oauth_tokens">) {
    const isPast = table === "oauth_auth_codes" ? past[table] : dead[table];
    const some = statement<{ id: string; live: number | boolean }>(
      dialect,
      table as TableName,
      () => sql`SELECT t.id, NOT (${isPast}) AS live FROM (
        SELECT * FROM ${sql.table(table)} WHERE id > ${arg.uuid("after")} ORDER BY id LIMIT ${arg.int("batch")}) AS t
        ORDER BY t.id`,
    );
    const remove = statement<unknown>(
      dialect,
      table as TableName,
      () => sql`DELETE FROM ${sql.table(table)} AS t
        WHERE t.id > ${arg.uuid("after")} AND t.id <= ${arg.uuid("bound")} AND ${dead[table]}`,
    );
    let reached = firstId;
    return async (moments: Moments, batch: number, batches: number) => {
      let gone = 0;
      for (let turn = 0; turn < batches; turn++) {
        // Reads one row first, because it is usually active and then no other rows are needed.
        const [next] = await some.all(database.driver, { ...moments, after: reached, batch: 1 });
        if (next === undefined || next.live) break;
        const rows = await some.all(database.driver, { ...moments, after: reached, batch });
        const firstLive = rows.find(({ live }) => Boolean(live));
        const bound = firstLive === undefined ? rows.at(-1)?.id : idBefore(firstLive.id);
        if (bound === undefined) break;
        const args = { ...moments, after: reached, bound };
        gone += await inTurn((tx) => remove.run(tx.connection, args));
        reached = bound;
        if (firstLive !== undefined) break;
        await giveWay();
      }
      return gone;
    };
  }

  function inTurn<R>(work: (tx: Transaction) => Promise<R>): Promise<R> {
    return database.transaction(async (tx) => {
      await tx.lock(sweepLock());
      return work(tx);
    });
  }

  const accessTokens = byEnd(
    "oauth_tokens",
    sql.ref("t.access_expires_at"),
    sql`t.refresh_expires_at IS NULL`,
  );
  const refreshTokens = byEnd("oauth_tokens", laterEnd, sql`${laterEnd} IS NOT NULL`);

  const sweepers: Record<Swept, (moments: Moments, batch: number, batches: number) => Promise<number>> = {
    oauth_auth_codes: byId("oauth_auth_codes"),
    oauth_tokens: async (...call) => (await accessTokens(...call)) + (await refreshTokens(...call)),
    sessions: byId("sessions"),
    ephemera: byEnd("ephemera", sql.ref("t.expires_at"), sql`true`),
    audit_events: byId("audit_events"),
    refusals: byId("refusals"),
    statistics: byId("statistics"),
    invitations: byId("invitations"),
    devices: byEnd("devices", sql.ref("t.expires_at"), sql`true`),
    recoveries: byId("recoveries"),
    deliveries: byId("deliveries"),
    events: byId("events"),
  };
  return (table, moments, batch, batches) => sweepers[table](moments, batch, batches);
}
