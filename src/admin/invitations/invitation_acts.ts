import type { Invitation } from "../../records/definition/definition.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import { requirePermission } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { listInvitations } from "./invitations.ts";
import { requestMembership } from "./request_membership.ts";

/** Returns the organization's open invitations, newest first. */
export async function openInvitations(context: AdminContext, organization_id: string): Promise<PublicView[]> {
  await requirePermission(context, "memberships:read", "organizations", organization_id);
  const { open } = await listInvitations(context, organization_id);
  return open.map(({ invitation }) => publicView("invitations", invitation));
}

async function openInvitation(
  context: AdminContext,
  organization_id: string,
  id: string,
): Promise<Invitation> {
  const { open } = await listInvitations(context, organization_id);
  const found = open.find(({ invitation }) => invitation.id === id.toLowerCase());
  if (found === undefined) throw notFound("invitations", id);
  return found.invitation;
}

/**
 * Sends an open invitation again with a new link and returns the new invitation. The old link stops working.
 */
export async function sendInvitationAgain(
  context: AdminContext,
  organization_id: string,
  id: string,
): Promise<PublicView> {
  const found = await openInvitation(context, organization_id, id);
  const { email, role, role_ids, app_role_ids, organization_id: of } = found;
  return requestMembership(context, { email, role, role_ids, app_role_ids, organization_id: of });
}
