import { emailKeys, isSameMailbox } from "../../records/names/email.ts";
import { stateOfInvitation } from "../../records/names/liveness.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

const mostInvitations = 100;

/**
 * Returns whether an invitation for this mailbox can be accepted now. One for an equivalent spelling of the
 * address (same `email_key`) does not count.
 */
export async function isInvited(
  email: string,
  organization_id: string | null | undefined,
  reads: Pick<Verbs, "find" | "list">,
  now: Date,
): Promise<boolean> {
  const whose = organization_id == null ? {} : { organization_id };
  for (const email_key of emailKeys(email)) {
    const newest = { descending: true, limit: mostInvitations };
    for (const invitation of await reads.list("invitations", { email_key, ...whose }, newest)) {
      if (!isSameMailbox(invitation.email, email)) continue;
      const organization = await reads.find("organizations", { id: invitation.organization_id });
      if (stateOfInvitation(invitation, organization, now) === "active") return true;
    }
  }
  return false;
}
