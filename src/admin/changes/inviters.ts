/**
 * Checks whether inviters may still grant what their open invitations offer, and ends invitations that they
 * may not.
 */
import type { Invitation, Membership, Row, TableName, User } from "../../records/definition/definition.ts";
import { invitationsLock } from "../../records/names/lock_names.ts";
import { type RoleList, roleLists } from "../../records/names/names.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { hasPermission } from "../access/access.ts";
import {
  type AdminContext,
  type EffectivePermissions,
  permissionsOfActor,
  permissionsOfUser,
} from "../access/actor.ts";
import { membershipErrors } from "../access/grantable.ts";
import { type AdminEvent, recordEvent } from "./audit.ts";

/**
 * Looks up the additional roles of all invitations at once. The returned function gives the names of these
 * roles for one invitation.
 */
export async function calledOf(
  { rolesById }: Pick<AdminContext["store"], "rolesById">,
  invitations: readonly Pick<Invitation, RoleList>[],
): Promise<(invitation: Pick<Invitation, RoleList>) => string[]> {
  const found = await Promise.all(
    roleLists.map(async (list) => {
      const ids = new Set(invitations.flatMap((each) => each[list]));
      return ids.size === 0 ? [] : rolesById(list, [...ids]);
    }),
  );
  const called = new Map(found.flat().map((role) => [role.id, role.called]));
  return (invitation) => roleLists.flatMap((list) => invitation[list]).flatMap((id) => called.get(id) ?? []);
}

export function mayInviteAs(
  actorPermissions: EffectivePermissions,
  organization_id: string,
  role: string,
): boolean {
  return membershipErrors(actorPermissions, { organization_id, role, permissions: null }).length === 0;
}

/**
 * Returns whether the inviter could still send this invitation: they may have left the organization or lost
 * permissions. Call it when showing the invitation, and again in the transaction that accepts it.
 */
export async function isInviterActive(
  reads: Pick<Verbs, "find" | "list">,
  { invited_by, organization_id, role }: Invitation,
): Promise<boolean> {
  const inviter = await reads.find("users", { id: invited_by });
  if (inviter === undefined) return false;
  const actorPermissions = await permissionsOfUser(reads, inviter);
  const owner = { organization_ids: [organization_id], user_id: null };
  return (
    hasPermission(actorPermissions, "memberships:write", owner) &&
    mayInviteAs(actorPermissions, organization_id, role)
  );
}

/**
 * Returns the id of the user who may lose permissions if the row changes or, without `changes`, is deleted.
 */
export function inviterIn<T extends TableName>(
  table: T,
  row: Row<T>,
  changes: Partial<Row<T>> | undefined,
): string | undefined {
  if (table === "memberships") return (row as Membership).user_id;
  if (table !== "users" || changes === undefined) return undefined;
  const { active, is_platform_admin } = changes as Partial<User>;
  return active === false || is_platform_admin === false ? (row as User).id : undefined;
}

/**
 * Deletes the open invitations that a user has sent and may no longer send. Call it in the transaction that
 * removes the user's permission.
 */
export async function endFallenInvitations(
  tx: Pick<Transaction, "find" | "list" | "lock" | "remove" | "insert">,
  context: AdminContext,
  invited_by: string,
): Promise<void> {
  const made = await tx.list("invitations", { invited_by });
  // Locks are taken in a fixed order, so that two changes cannot deadlock.
  for (const organization_id of [...new Set(made.map((each) => each.organization_id))].sort()) {
    await tx.lock(invitationsLock(organization_id));
    for (const invitation of await tx.list("invitations", { invited_by, organization_id })) {
      if (await isInviterActive(tx, invitation)) continue;
      await tx.remove("invitations", { id: invitation.id });
      const { id, email, role } = invitation;
      const event: AdminEvent = {
        type: "invitation.withdrawn",
        target_table: "invitations",
        target_id: id,
        organization_id,
        details: { email, role, reason: "inviter_lost_role" },
      };
      await recordEvent(context, event, tx);
    }
  }
}

/**
 * Returns the id of the organization for which a list of memberships offers to invite a user; undefined if it
 * offers none.
 */
export async function organizationToInviteTo(
  context: AdminContext,
  narrowed_to: string | undefined,
): Promise<string | undefined> {
  if (context.actor.kind !== "user") return undefined;
  const { organizations } = await permissionsOfActor(context);
  const ids = [...organizations].flatMap(([id, { permissions }]) =>
    permissions.has("memberships:write") ? [id] : [],
  );
  if (narrowed_to !== undefined) return ids.find((id) => id === narrowed_to);
  return ids.length === 1 ? ids[0] : undefined;
}
