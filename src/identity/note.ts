import type { AuditEvent, User } from "../records/definition.ts";
import type { RequestOrigin } from "../records/request_origin.ts";
import type { Transaction } from "../storage/database.ts";
import type { IdentityContext } from "./context.ts";

export type Note = Pick<AuditEvent, "type" | "target_table" | "target_id" | "details"> &
  Partial<Pick<AuditEvent, "organization_id">>;

/** Tells the audit of the user's action, in the transaction that did it. */
export async function note(
  tx: Transaction,
  { store }: IdentityContext,
  created_at: Date,
  origin: RequestOrigin,
  user: User,
  event: Note,
): Promise<void> {
  await tx.insert("audit_events", {
    id: store.newId(created_at),
    outcome: "success",
    actor_kind: "user",
    actor_id: user.id,
    ...origin,
    ...event,
    created_at,
  });
}
