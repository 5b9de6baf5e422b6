import type { AuditEvent, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { IdentityContext } from "./context/context.ts";

export type NotedEvent = Pick<AuditEvent, "type" | "target_table" | "target_id" | "details"> &
  Partial<Pick<AuditEvent, "organization_id">>;

/** Adds an audit event for a user's own action; `details` must not contain a secret. */
export async function auditOwnAct(
  tx: Transaction,
  { store }: Pick<IdentityContext, "store">,
  { user, origin, at }: { user: Pick<User, "id">; origin: RequestOrigin; at: Date },
  event: NotedEvent,
): Promise<void> {
  await tx.insert("audit_events", {
    id: store.newId(at),
    outcome: "success",
    actor_kind: "user",
    actor_id: user.id,
    ...origin,
    ...event,
    created_at: at,
  });
}
