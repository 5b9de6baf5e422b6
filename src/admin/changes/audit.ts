import type { AuditEvent, NewRow, TableName } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { ConnectionVerbs, Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, actorColumns } from "../access/actor.ts";

/** `details` never contains a secret or a hash of one (H-8). */
export interface AdminEvent {
  /** The record's kind and the action in the past tense, such as `app.created`. */
  readonly type: string;
  readonly outcome?: AuditEvent["outcome"];
  readonly target_table?: TableName;
  readonly target_id?: string;
  /** The organization whose administrators may read the event. */
  readonly organization_id?: string | null;
  readonly details?: JsonObject;
}

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
 * Adds an audit event. Pass the transaction as `on`, so that the event and the change are committed together.
 */
export async function recordEvent(
  context: Recorder,
  event: AdminEvent,
  on: Pick<Verbs, "insert"> = context.store,
): Promise<void> {
  await on.insert("audit_events", rowOf(context, event));
}

export async function recordEvents(
  context: Recorder,
  events: readonly AdminEvent[],
  on: Pick<ConnectionVerbs, "insertAll">,
): Promise<void> {
  await on.insertAll(
    "audit_events",
    events.map((event) => rowOf(context, event)),
  );
}

type Recorder = Pick<AdminContext, "store" | "now" | "actor" | "origin">;

function rowOf(
  { store, now, actor, origin = {} }: Recorder,
  { type, outcome = "success", target_table, target_id, organization_id, details }: AdminEvent,
): NewRow<"audit_events"> {
  const created_at = now();
  return {
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
  };
}
