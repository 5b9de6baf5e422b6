/**
 * Deliveries to a paused target have `lastMoment` as their due time and expiry, so they wait until the target
 * resumes.
 */
import { sql } from "kysely";
import { type DeliveryKindName, type DeliveryState, deliveriesKept } from "../../records/names/deliveries.ts";
import { lastMoment } from "../../records/names/liveness.ts";
import type { Database, Transaction } from "../database/database.ts";
import { arg, statement } from "../database/statement.ts";

export interface WaitingDeliveries {
  readonly kind: DeliveryKindName;
  readonly target_id: string;
  readonly except?: string;
}

const waits: DeliveryState = "waiting";

export function heldDeliveryRules({ dialect }: Pick<Database, "dialect">) {
  const move = statement(
    dialect,
    "deliveries",
    () => sql`UPDATE deliveries SET due_at = ${arg.time("due_at")}, attempt = 0,
        expires_at = ${arg.time("expires_at")}
      WHERE target_id = ${arg.uuid("target_id")} AND state = ${sql.lit(waits)} AND kind = ${arg.string("kind")}
        AND subject_key <> ${arg.string("except")}`,
  );
  return {
    async holdDeliveries(
      tx: Pick<Transaction, "connection">,
      { except = "", ...which }: WaitingDeliveries,
    ): Promise<void> {
      await move.run(tx.connection, { ...which, except, due_at: lastMoment, expires_at: lastMoment });
    },

    /** Call it in the transaction that resumes the target. */
    async releaseDeliveries(
      tx: Pick<Transaction, "connection">,
      { except = "", ...which }: WaitingDeliveries,
      now: Date,
    ): Promise<void> {
      const expires_at = new Date(now.getTime() + deliveriesKept.waiting);
      await move.run(tx.connection, { ...which, except, due_at: now, expires_at });
    },
  };
}
