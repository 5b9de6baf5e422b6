import type { AuditEvent, TableName } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, actorColumns } from "../access/actor.ts";

/** An audit event (H-8). `details` never holds a secret or the hash of one. */
export interface AdminEvent {
  /** The record's kind and the verb in the past, such as `app.created`. */
  readonly type: string;
  readonly outcome?: AuditEvent["outcome"];
  readonly target_table?: TableName;
  readonly target_id?: string;
  /** The organization whose administrators may read of it. */
  readonly organization_id?: string | null;
  readonly details?: JsonObject;
}

/** Logs events, one line each, after they are committed. */
export function logEvent(
  { actor, log, origin = {} }: Pick<AdminContext, "actor" | "log" | "origin">,
  { type, outcome = "success", target_table, target_id, organization_id }: AdminEvent,
): void {
  log?.info(
    {
      event: type,
      outcome,
      ...actorColumns(actor),
      ...(target_table === undefined ? {} : { target_table }),
      ...(target_id === undefined ? {} : { target_id }),
      ...(organization_id == null ? {} : { organization_id }),
      ...(origin.request_id == null ? {} : { request_id: origin.request_id }),
    },
    "a record was changed",
  );
}

/**
 * Adds a row to `audit_events`. Inside a transaction (`on`) it commits together with the change that it
 * records.
 */
export async function recordEvent(
  { store, now, actor, origin = {} }: Pick<AdminContext, "store" | "now" | "actor" | "origin">,
  { type, outcome = "success", target_table, target_id, organization_id, details }: AdminEvent,
  on: Pick<Verbs, "insert"> = store,
): Promise<void> {
  const created_at = now();
  await on.insert("audit_events", {
    id: store.newId(created_at),
    type,
    outcome,
    ...actorColumns(actor),
    target_table: target_table ?? null,
    target_id: target_id ?? null,
    organization_id: organization_id ?? null,
    details: details ?? null,
    ...origin,
    created_at,
  });
}
