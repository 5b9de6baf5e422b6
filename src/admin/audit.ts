import type { AuditEvent, TableName } from "../records/definition.ts";
import type { JsonObject } from "../records/field.ts";
import type { Verbs } from "../storage/verbs.ts";
import type { Actor, AdminContext } from "./actor.ts";

/** What happened, for the audit (requirements H-8). `details` never holds a secret: names of fields, not their values. */
export interface AdminEvent {
  /** The record's kind and the verb in the past, such as `app.created`. */
  readonly type: string;
  readonly outcome?: AuditEvent["outcome"];
  readonly target_table?: TableName;
  readonly target_id?: string;
  readonly details?: JsonObject;
}

/** Adds a row to `audit_events`; inside a transaction (`on`) it is there if and only if what it tells of is. */
export async function recordEvent(
  { store, now, actor, origin = {} }: Pick<AdminContext, "store" | "now" | "actor" | "origin">,
  { type, outcome = "success", target_table, target_id, details }: AdminEvent,
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
    details: details ?? null,
    ...origin,
    created_at,
  });
}

function actorColumns(actor: Actor): Pick<AuditEvent, "actor_kind" | "actor_id"> {
  switch (actor.kind) {
    case "system":
      return { actor_kind: "system", actor_id: actor.label };
    case "user":
      return { actor_kind: "user", actor_id: actor.user.id };
    default:
      return actor satisfies never;
  }
}
