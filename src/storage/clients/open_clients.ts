import { setImmediate as giveWay } from "node:timers/promises";
import { sql } from "kysely";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { appLock, sweepLock } from "../../records/names/lock_names.ts";
import { idleAfter, unusedAfter } from "../../records/rules/open_clients.ts";
import type { Database } from "../database/database.ts";
import { firstId, lastId } from "../database/ids.ts";
import { arg, statement } from "../database/statement.ts";

export interface Sweep {
  readonly dry_run?: boolean;
  readonly batch?: number;
  /** In days; 0 keeps the IP address of a client's registration forever. */
  readonly addresses?: number | undefined;
}

export interface ListedOpenClient
  extends Pick<
    OAuthApp,
    "id" | "client_id" | "name" | "provenance" | "client_ip" | "created_at" | "last_used_at"
  > {
  readonly people: number;
}

const mostPeople = 1000;

const mostNamed = 20;

export function openClientRules(database: Database, newId: (now: Date) => string) {
  const { dialect, driver } = database;
  const registrations = statement<{ rows: number }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT count(*) AS rows FROM (SELECT 1 FROM oauth_apps
      WHERE provenance <> 'registered' AND provenance = 'dynamic_registration' LIMIT ${arg.int("most")}) AS counted`,
  );

  // A disabled client is never removed, because otherwise it could register again.
  const isUnused = sql<boolean>`t.provenance <> 'registered' AND t.active AND t.revoked_at IS NULL AND (
    COALESCE(t.last_used_at, t.created_at) <= ${arg.time("idle_before")}
    OR (t.last_used_at IS NULL AND t.created_at <= ${arg.time("unused_before")}
      AND NOT EXISTS (SELECT 1 FROM oauth_consents c WHERE c.app_id = t.id)
      AND NOT EXISTS (SELECT 1 FROM oauth_auth_codes k WHERE k.app_id = t.id)
      AND NOT EXISTS (SELECT 1 FROM oauth_tokens o WHERE o.app_id = t.id)))`;
  const some = statement<{ id: string; client_id: string; unused: number | boolean }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT t.id, t.client_id, ${isUnused} AS unused FROM oauth_apps AS t
      WHERE t.provenance <> 'registered' AND t.id > ${arg.uuid("after")} ORDER BY t.id LIMIT ${arg.int("batch")}`,
  );
  const listed = statement<ListedOpenClient>(
    dialect,
    "oauth_apps",
    () => sql`SELECT t.id, t.client_id, t.name, t.provenance, t.client_ip, t.created_at, t.last_used_at,
        (SELECT count(*) FROM (SELECT 1 FROM oauth_consents c
          WHERE c.app_id = t.id AND c.granted AND NOT c.revoked LIMIT ${arg.int("most")}) AS given) AS people
      FROM oauth_apps AS t WHERE t.provenance <> 'registered' AND t.id < ${arg.uuid("before")}
      ORDER BY t.id DESC LIMIT ${arg.int("limit")}`,
  );
  const neverUsed = statement<{ id: string }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT t.id FROM oauth_apps AS t
      WHERE t.provenance <> 'registered' AND t.last_used_at IS NULL AND t.active AND t.revoked_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM oauth_consents c WHERE c.app_id = t.id)
        AND NOT EXISTS (SELECT 1 FROM oauth_tokens o WHERE o.app_id = t.id)
      ORDER BY t.id LIMIT ${arg.int("limit")}`,
  );
  const all = statement<{ rows: number }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT count(*) AS rows FROM oauth_apps WHERE provenance <> 'registered'`,
  );
  const stillUnused = statement<{ id: string }>(
    dialect,
    "oauth_apps",
    () => sql`SELECT t.id FROM oauth_apps AS t WHERE t.id = ${arg.uuid("id")} AND ${isUnused}`,
  );
  const forget = statement<unknown>(
    dialect,
    "oauth_apps",
    () => sql`UPDATE oauth_apps SET client_ip = NULL
      WHERE provenance <> 'registered' AND client_ip IS NOT NULL AND created_at <= ${arg.time("before")}`,
  );

  /** Checks each client again under its lock, because it may have been used since it was found. */
  async function removeUnused(
    found: readonly { id: string; client_id: string }[],
    moment: Date,
    moments: object,
  ) {
    return database.transaction(
      async (tx) => {
        await tx.lock(sweepLock(), ...found.map(({ id }) => appLock(id)));
        const gone: string[] = [];
        for (const { id, client_id } of found) {
          if ((await stillUnused.first(tx.connection, { id, ...moments })) === undefined) continue;
          await tx.remove("oauth_apps", { id });
          gone.push(client_id);
        }
        if (gone.length > 0) {
          await tx.insert("audit_events", {
            id: newId(moment),
            type: "open_clients_swept",
            outcome: "success",
            actor_kind: "system",
            target_table: "oauth_apps",
            details: { clients: gone.length, client_ids: gone.slice(0, mostNamed) },
            created_at: moment,
          });
        }
        return gone.length;
      },
      { maxWait: 30_000 },
    );
  }

  return {
    async countRegistrations(most: number): Promise<number> {
      return Number((await registrations.first(driver, { most }))?.rows ?? 0);
    },

    async listOpenClients(limit: number, before = lastId): Promise<ListedOpenClient[]> {
      const rows = await listed.all(driver, { limit, before, most: mostPeople });
      return rows.map((row) => ({ ...row, people: Number(row.people) }));
    },

    async countOpenClients(): Promise<number> {
      return Number((await all.first(driver, {}))?.rows ?? 0);
    },

    async neverUsedClients(limit: number): Promise<string[]> {
      return (await neverUsed.all(driver, { limit })).map(({ id }) => id);
    },

    /**
     * Removes unused clients that no administrator created, and returns their number. Also deletes old IP
     * addresses of registrations.
     */
    async sweepOpenClients(
      moment: Date,
      { dry_run = false, batch = 200, addresses = 0 }: Sweep = {},
    ): Promise<number> {
      const moments = {
        unused_before: new Date(moment.getTime() - unusedAfter),
        idle_before: new Date(moment.getTime() - idleAfter),
      };
      if (addresses > 0 && !dry_run) {
        const before = new Date(moment.getTime() - addresses * 86_400_000);
        await database.transaction((tx) => forget.run(tx.connection, { before }));
      }
      let gone = 0;
      for (let after = firstId; ; ) {
        const rows = await some.all(driver, { after, batch, ...moments });
        const found = rows.filter(({ unused }) => Boolean(unused));
        if (found.length > 0) gone += dry_run ? found.length : await removeUnused(found, moment, moments);
        after = rows.at(-1)?.id ?? after;
        if (rows.length < batch) return gone;
        await giveWay();
      }
    },
  };
}
