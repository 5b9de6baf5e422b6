/**
 * Deletes expired rows in small batches. Used codes and rotated tokens are kept while a token of the same
 * authorization is active. Without them, their reuse would not be detected (design, section 5).
 */

import { setImmediate as giveWay } from "node:timers/promises";
import { sql } from "kysely";
import type { Row, TableName } from "../../records/definition/definition.ts";
import { stateOfSigningKey } from "../../records/names/liveness.ts";
import { sweepLock } from "../../records/names/lock_names.ts";
import type { openClientRules } from "../clients/open_clients.ts";
import type { Database } from "../database/database.ts";
import { firstId, lastId } from "../database/ids.ts";
import { arg, type Statement, statement } from "../database/statement.ts";
import type { StatisticRules } from "../operation/statistics.ts";
import {
  deadRows,
  endedLongAgo,
  type Moments,
  momentsOf,
  never,
  type Retention,
  type Swept,
  sweptTables,
} from "./conditions.ts";
import { sweepEnded } from "./ended.ts";

type SweepCounts = Record<Swept | "signing_keys" | "open_clients", number>;

/**
 * A pass over all tokens takes about an hour. It finds those that were revoked before they expired, and IP
 * addresses to delete.
 */
const callsPerRound = 3600;
const batchesAtFirst = 10;

/** In milliseconds. With the default timeout, a slow disk would cancel batches again and again. */
const maxWait = 30_000;

export function sweepRules(
  database: Database,
  removeExpiredSigningKeys: (now: Date) => Promise<number>,
  increment: StatisticRules["increment"],
  sweepOpenClients: ReturnType<typeof openClientRules>["sweepOpenClients"],
) {
  const { dialect } = database;

  function statementsOf(table: Swept): Record<
    "bound" | "count" | "remove",
    Statement<{ id: string; rows: number }>
  > & {
    forget: Statement<unknown> | undefined;
  } {
    const rows = deadRows(table, sql`t.id > ${arg.uuid("after")} AND t.id <= ${arg.uuid("bound")}`);
    const ended = endedLongAgo[table];
    const make = (write: Parameters<typeof statement<{ id: string; rows: number }>>[2]) =>
      statement<{ id: string; rows: number }>(dialect, table as TableName, write);
    return {
      bound: make((query) =>
        query
          .selectFrom(table as "oauth_tokens")
          .select(["id", sql<number>`0`.as("rows")])
          .where("id", ">", arg.uuid("after"))
          .orderBy("id")
          .limit(1)
          .offset(arg.int("skip")),
      ),
      count: make(() => sql`SELECT count(*) AS rows FROM (${rows}) AS found`),
      remove: make(() => sql`DELETE FROM ${sql.table(table)} WHERE id IN (${rows})`),
      forget:
        ended &&
        make(
          () => sql`UPDATE ${sql.table(table)} SET client_ip = NULL, user_agent = NULL
            WHERE id > ${arg.uuid("after")} AND id <= ${arg.uuid("bound")} AND ${ended}
            AND (client_ip IS NOT NULL OR user_agent IS NOT NULL)`,
        ),
    };
  }

  const statements = Object.fromEntries(sweptTables.map((table) => [table, statementsOf(table)])) as Record<
    Swept,
    ReturnType<typeof statementsOf>
  >;

  async function sweepBatch(table: Swept, moments: Moments, after: string, batch: number, dry_run: boolean) {
    const { bound, count, remove, forget } = statements[table];
    const end = await bound.first(database.driver, { after, skip: batch - 1 });
    const args = { after, bound: end?.id ?? lastId, ...moments };
    const gone = dry_run
      ? Number((await count.first(database.driver, args))?.rows ?? 0)
      : await database.transaction(
          async ({ connection, lock }) => {
            await lock(sweepLock());
            if (moments.before > never) await forget?.run(connection, args);
            return remove.run(connection, args);
          },
          { maxWait },
        );
    return { gone, end: args.bound };
  }

  async function sweepTable(
    table: Swept,
    moments: Moments,
    dry_run: boolean,
    batch: number,
  ): Promise<number> {
    let after = firstId;
    let gone = 0;
    while (after !== lastId) {
      const swept = await sweepBatch(table, moments, after, batch, dry_run);
      gone += swept.gone;
      after = swept.end;
      await giveWay();
    }
    return gone;
  }

  const ended = sweepEnded(database);
  const walks = new Map<Swept, { after: string; steps: number; last_round: number }>();

  async function walkOn(table: Swept, moments: Moments, batch: number, batches: number): Promise<number> {
    const walk = walks.get(table) ?? {
      after: firstId,
      steps: 0,
      last_round: batchesAtFirst * callsPerRound,
    };
    walks.set(table, walk);
    const enough = table === "oauth_tokens" ? Math.ceil(walk.last_round / callsPerRound) : 1;
    let gone = 0;
    for (let turn = 0; turn < batches; turn++) {
      const swept = await sweepBatch(table, moments, walk.after, batch, false);
      gone += swept.gone;
      walk.after = swept.end;
      walk.steps += 1;
      if (swept.end === lastId) {
        walks.set(table, { after: firstId, steps: 0, last_round: walk.steps });
        break;
      }
      // If few rows have expired, the next batch can wait.
      if (turn + 1 >= enough && swept.gone < batch / 4) break;
      await giveWay();
    }
    return gone;
  }

  return {
    /**
     * Deletes rows that expired since the last call, and continues a pass over all rows for revoked tokens
     * and old IP addresses. Made to be called every second.
     */
    async sweepSome(
      moment: Date,
      {
        batch = 200,
        batches = 50,
        retention = {},
      }: { batch?: number; batches?: number; retention?: Retention } = {},
    ): Promise<number> {
      const moments = momentsOf(moment, retention);
      let gone = 0;
      for (const table of sweptTables) {
        gone += await ended(table, moments, batch, batches);
        gone += await walkOn(table, moments, batch, batches);
      }
      if (gone > 0) increment("swept", [null], moment, gone);
      return gone;
    },

    async sweep(
      moment: Date,
      {
        dry_run = false,
        batch = 1000,
        retention = {},
      }: { dry_run?: boolean; batch?: number; retention?: Retention } = {},
    ): Promise<SweepCounts> {
      const moments = momentsOf(moment, retention);
      const counts: SweepCounts = {
        oauth_tokens: 0,
        oauth_auth_codes: 0,
        sessions: 0,
        ephemera: 0,
        audit_events: 0,
        refusals: 0,
        statistics: 0,
        invitations: 0,
        devices: 0,
        recoveries: 0,
        deliveries: 0,
        events: 0,
        signing_keys: 0,
        open_clients: 0,
      };
      for (const table of sweptTables) counts[table] = await sweepTable(table, moments, dry_run, batch);
      const gone = (key: Row<"signing_keys">) => stateOfSigningKey(key, moment) === "expired";
      counts.signing_keys = dry_run
        ? (await database.list("signing_keys")).filter(gone).length
        : await removeExpiredSigningKeys(moment);
      counts.open_clients = await sweepOpenClients(moment, { dry_run, addresses: retention.addresses });
      const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (!dry_run && all > 0) increment("swept", [null], moment, all);
      return counts;
    },
  };
}
