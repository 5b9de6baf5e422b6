import type { Invitation, Membership, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { Transaction } from "../../storage/database/database.ts";
import { auditOwnAct } from "./audit_own_act.ts";
import type { IdentityContext } from "./context/context.ts";

interface OwnAct {
  readonly user: User;
  readonly origin: RequestOrigin;
  readonly at: Date;
}

/** Makes the user a member by the user's own act, which the audit log records with these `details`. */
export async function insertOwnMembership(
  membership: Pick<Membership, "organization_id" | "role"> & Partial<Membership>,
  act: OwnAct,
  details: Readonly<Record<string, string>>,
  tx: Transaction,
  context: IdentityContext,
): Promise<void> {
  const { user, at } = act;
  const { organization_id, role, role_ids = [], app_role_ids = [] } = membership;
  const id = context.store.newId(at);
  await tx.insert("memberships", { ...membership, id, user_id: user.id, created_at: at, updated_at: at });
  const after = {
    ...{ user_id: user.id, organization_id, role },
    ...(role_ids.length > 0 && { role_ids }),
    ...(app_role_ids.length > 0 && { app_role_ids }),
  };
  await auditOwnAct(tx, context, act, {
    type: "membership.created",
    target_table: "memberships",
    target_id: id,
    organization_id,
    details: { after, ...details },
  });
}

/**
 * Gives the user the membership that the invitation offers. Returns whether the user was already a member, whose
 * roles then stay. Call it in the transaction that has removed the invitation.
 */
export async function joinAsInvited(
  { id, organization_id, email, role, role_ids, app_role_ids }: Invitation,
  act: OwnAct,
  tx: Transaction,
  context: IdentityContext,
): Promise<boolean> {
  const { user } = act;
  const was_member = (await tx.find("memberships", { user_id: user.id, organization_id })) !== undefined;
  if (!was_member) {
    await insertOwnMembership({ organization_id, role, role_ids, app_role_ids }, act, {}, tx, context);
  }
  await auditOwnAct(tx, context, act, {
    type: "invitation.accepted",
    target_table: "invitations",
    target_id: id,
    organization_id,
    details: { email, role, was_member },
  });
  return was_member;
}
