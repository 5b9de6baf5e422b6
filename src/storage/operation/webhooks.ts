/**
 * Webhook endpoints read the event feed. Few events of an endpoint are queued at a time, so that an
 * unreachable endpoint does not fill the database (docs/decisions/events.md).
 */
import { sql } from "kysely";
import { UnavailableError } from "../../errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import { type DeliveryState, deliveriesKept } from "../../records/names/deliveries.ts";
import { feedLock } from "../../records/names/lock_names.ts";
import {
  type DisabledReason,
  mostUntriedOfEndpoint,
  mostWaitingOfEndpoint,
} from "../../records/names/webhooks.ts";
import type { Database, Transaction } from "../database/database.ts";
import { firstIdAt } from "../database/ids.ts";
import { allColumns, arg, no, statement, yes } from "../database/statement.ts";
import { afterDeliveriesTo } from "./deliveries.ts";
import type { FeedBounds, FeedEvent, FeedPart, FeedQuery } from "./feed.ts";
import { heldDeliveryRules } from "./held_deliveries.ts";

type Endpoint = Row<"webhook_endpoints">;

const mostFilled = 50;
/** A commit on SQLite blocks other requests. */
const mostAtOnce = 50;
/** In milliseconds. */
const wakingInterval = 60_000;

const waits: DeliveryState = "waiting";

/** The endpoint has received all events up to `position`. */
export type OnDisabled = (
  tx: Transaction,
  disabled: { readonly endpoint: Endpoint; readonly position: number },
) => Promise<void>;

interface Feed {
  feedBoundsIn(tx: Pick<Transaction, "connection">): Promise<FeedBounds>;
  readFeedIn(tx: Pick<Transaction, "connection">, query: FeedQuery, newest: number): Promise<FeedPart>;
}

export function webhookRules(database: Database, newId: (now: Date) => string, feed: Feed) {
  const { dialect, driver } = database;
  const { holdDeliveries, releaseDeliveries } = heldDeliveryRules(database);
  const behind = statement<{ id: string }>(dialect, "webhook_endpoints", (query) =>
    query
      .selectFrom("webhook_endpoints")
      .select("id")
      // Without a parameter, because the partial index `webhook_endpoints_behind` is used only then.
      .where(sql<boolean>`behind`)
      .where("active", "=", yes)
      // Events of inactive organizations wait in the event feed.
      .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM organizations AS o
        WHERE o.id = webhook_endpoints.organization_id AND NOT o.active)`)
      .orderBy("id")
      .limit(sql.lit(mostFilled)),
  );
  const waiting = statement<{ rows: number; untried: number | string | null }>(
    dialect,
    "deliveries",
    () => sql`SELECT count(*) AS rows, sum(CASE WHEN attempt = 0 THEN 1 ELSE 0 END) AS untried
      FROM (SELECT attempt FROM deliveries WHERE target_id = ${arg.uuid("id")}
        AND state = ${sql.lit(waits)} LIMIT ${sql.lit(mostWaitingOfEndpoint)}) AS found`,
  );
  const giveUp = statement(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET state = 'given_up', last_fault = 'skipped', expires_at = ${arg.time("expires_at")}
      WHERE target_id = ${arg.uuid("id")} AND state = ${sql.lit(waits)}`,
  );
  const hold = statement<Endpoint>(
    dialect,
    "webhook_endpoints",
    () => sql`UPDATE webhook_endpoints SET behind = ${no} WHERE id IN (SELECT w.id FROM webhook_endpoints AS w
      WHERE w.id = ${arg.uuid("id")} AND w.active = ${yes} AND w.behind ${dialect.skipLocked("w")})
      RETURNING ${allColumns("webhook_endpoints")}`,
  );
  const wakeLagging = statement(
    dialect,
    "webhook_endpoints",
    () => sql`UPDATE webhook_endpoints SET behind = ${yes} WHERE id IN (SELECT w.id FROM webhook_endpoints AS w
      WHERE w.active = ${yes} AND NOT w.behind AND w.position < CASE WHEN w.organization_id IS NULL
        THEN (SELECT max(position) FROM events)
        ELSE (SELECT max(e.position) FROM events AS e WHERE e.organization_id = w.organization_id) END
      ${dialect.skipLocked("w")})`,
  );
  const noteSuccess = statement(
    dialect,
    "webhook_endpoints",
    () => sql`UPDATE webhook_endpoints SET failing_since = NULL WHERE id IN (SELECT w.id FROM webhook_endpoints AS w
      WHERE w.id = ${arg.uuid("id")} ${dialect.skipLocked("w")})`,
  );
  const noteFailure = statement(
    dialect,
    "webhook_endpoints",
    () => sql`UPDATE webhook_endpoints SET failing_since = ${arg.time("failing_since")}
      WHERE id IN (SELECT w.id FROM webhook_endpoints AS w
        WHERE w.id = ${arg.uuid("id")} AND w.failing_since IS NULL ${dialect.skipLocked("w")})`,
  );
  async function addTo(tx: Transaction, endpoint: Endpoint, events: readonly FeedEvent[], at: Date) {
    const { id: target_id, organization_id } = endpoint;
    const time = await afterDeliveriesTo(tx, target_id, at);
    await tx.insertAll(
      "deliveries",
      events.map((event, index) => ({
        ...{ id: newId(new Date(time + index)), kind: "webhook" as const, target_id, organization_id },
        subject_key: event.subject_id,
        event_id: event.id,
        due_at: at,
        expires_at: new Date(at.getTime() + deliveriesKept.waiting),
        created_at: at,
      })),
    );
    return events.length;
  }

  const firstSince = statement<{ position: number | string | null }>(
    dialect,
    "events",
    // Positions may be in another order than IDs: IDs within a millisecond are random, and transactions may
    // commit in another order.
    () => sql`SELECT min(position) AS position FROM (SELECT position FROM events
      WHERE id >= ${arg.uuid("first")} AND position IS NOT NULL ORDER BY id LIMIT 1000) AS found`,
  );

  async function waitingOf(tx: Transaction, id: string): Promise<{ rows: number; untried: number }> {
    const found = await waiting.first(tx.connection, { id });
    return { rows: Number(found?.rows ?? 0), untried: Number(found?.untried ?? 0) };
  }

  async function stoppedAt(
    reads: Pick<Database, "list" | "find">,
    { id: target_id, position }: Endpoint,
  ): Promise<number> {
    const [first] = await reads.list("deliveries", { target_id, state: waits }, { limit: 1 });
    const event = first?.event_id ? await reads.find("events", { id: first.event_id }) : undefined;
    return event?.position ? event.position - 1 : position;
  }

  async function fill(tx: Transaction, id: string, at: Date): Promise<number> {
    const endpoint = await hold.first(tx.connection, { id });
    if (endpoint === undefined) return 0;
    const { rows, untried } = await waitingOf(tx, id);
    const room = Math.min(mostWaitingOfEndpoint - rows, mostUntriedOfEndpoint - untried);
    if (room <= 0) {
      await tx.update("webhook_endpoints", { id }, { behind: true });
      return 0;
    }
    const { newest } = await feed.feedBoundsIn(tx);
    const { organization_id, types, position: after } = endpoint;
    const query = {
      ...{ after, limit: room },
      ...(types.length > 0 && { types }),
      ...(organization_id !== null && { organization_ids: [organization_id] }),
    };
    const { events, position } = await feed.readFeedIn(tx, query, newest);
    await addTo(tx, endpoint, events, at);
    await tx.update("webhook_endpoints", { id }, { position, behind: position < newest });
    return events.length;
  }

  let wokenAt = Number.NEGATIVE_INFINITY;
  /** Marks the endpoints that were skipped because another database session had locked them. */
  async function wakeSkipped(): Promise<void> {
    if (performance.now() - wokenAt < wakingInterval) return;
    wokenAt = performance.now();
    await driver.runBatch([wakeLagging.prepare({})]);
  }

  const fillSome = (ids: readonly string[], now: Date): Promise<number> =>
    database.transaction(
      async (tx) => {
        // The lock keeps events from getting positions, because an endpoint that is being filled could not be
        // marked as `behind`.
        await tx.lock(feedLock());
        let [at, rows] = [0, 0];
        for (; at < ids.length && rows < mostAtOnce; at++) rows += await fill(tx, ids[at] ?? "", now);
        return at;
      },
      { quiet: true },
    );

  return {
    /**
     * Queues the next events of endpoints marked `behind`. If an endpoint fails, continues with the others
     * one by one, and then throws. Throws an `UnavailableError` at once.
     */
    async fillWebhooks(now: Date): Promise<void> {
      await wakeSkipped();
      const ids = (await behind.all(driver, {})).map(({ id }) => id);
      let failure: Error | undefined;
      let isAlone = false;
      for (let done = 0; done < ids.length; ) {
        try {
          done += await fillSome(ids.slice(done, isAlone ? done + 1 : undefined), now);
        } catch (cause) {
          if (cause instanceof UnavailableError) throw cause;
          if (isAlone) {
            failure ??= new Error(`events for the webhook endpoint ${ids[done]} could not be queued`, {
              cause,
            });
            done += 1;
          }
          isAlone = true;
        }
      }
      if (failure !== undefined) throw failure;
    },

    async noteWebhook(id: string, failing_since: Date | null): Promise<void> {
      const endpoint = await database.find("webhook_endpoints", { id });
      // Reads first, because most attempts change nothing and a read costs less than a commit.
      if (endpoint === undefined || (endpoint.failing_since === null) === (failing_since === null)) return;
      const note = failing_since === null ? noteSuccess : noteFailure;
      await driver.runBatch([note.prepare({ id, failing_since })]);
    },

    /** Returns whether the endpoint was active. */
    disableWebhook(
      id: string,
      disabled_reason: DisabledReason,
      now: Date,
      onDisabled?: OnDisabled,
    ): Promise<boolean> {
      return database.transaction(async (tx) => {
        const changes = { active: false, disabled_reason, updated_at: now };
        const [endpoint] = await tx.change("webhook_endpoints", { id, active: true }, changes);
        if (endpoint === undefined) return false;
        const position = await stoppedAt(tx, endpoint);
        await holdDeliveries(tx, { kind: "webhook", target_id: id });
        await tx.insert("audit_events", {
          id: newId(now),
          type: "webhook_endpoint.disabled",
          outcome: "success",
          actor_kind: "system",
          target_table: "webhook_endpoints",
          target_id: id,
          organization_id: endpoint.organization_id,
          details: { reason: disabled_reason, position },
          created_at: now,
        });
        await onDisabled?.(tx, { endpoint, position });
        return true;
      });
    },

    async webhookStoppedAt(id: string): Promise<number> {
      const endpoint = await database.find("webhook_endpoints", { id });
      return endpoint === undefined ? 0 : stoppedAt(database, endpoint);
    },

    /**
     * Resumes an endpoint in the transaction that activates it: with its waiting events (`kept`), or only
     * with new ones (`now`).
     */
    async resumeWebhook(
      tx: Transaction,
      id: string,
      from: "kept" | "now",
      now: Date,
    ): Promise<Partial<Endpoint>> {
      if (from === "kept") {
        await releaseDeliveries(tx, { kind: "webhook", target_id: id }, now);
        return { behind: true };
      }
      const expires_at = new Date(now.getTime() + deliveriesKept.given_up);
      await giveUp.run(tx.connection, { id, expires_at });
      return { position: (await feed.feedBoundsIn(tx)).newest };
    },

    waitingOfWebhook: waitingOf,

    /** Returns the position before the first event since this time; undefined if there is no such event. */
    async positionAt(tx: Transaction, since: Date): Promise<number | undefined> {
      const found = await firstSince.first(tx.connection, { first: firstIdAt(since.getTime()) });
      return found?.position == null ? undefined : Number(found.position) - 1;
    },

    replayWebhook: addTo,
  };
}
