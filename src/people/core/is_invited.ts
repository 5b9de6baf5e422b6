import type { Invitation } from "../../records/definition/definition.ts";
import { emailKeys, isSameMailbox } from "../../records/names/email.ts";
import { stateOfInvitation } from "../../records/names/liveness.ts";
import type { Verbs } from "../../storage/database/verbs.ts";

type Reads = Pick<Verbs, "find" | "list">;

/** Returns whether the inviter could still send this invitation (G-7). */
export type IsInviterActive = (reads: Reads, invitation: Invitation) => Promise<boolean>;

const mostInvitations = 100;

/**
 * Returns an invitation for this mailbox that can be accepted now; without an organization, of any. One for an
 * equivalent spelling of the address (same `email_key`) does not count.
 */
export async function findOpenInvitation(
  email: string,
  organization_id: string | null | undefined,
  reads: Reads,
  now: Date,
): Promise<Invitation | undefined> {
  const whose = organization_id == null ? {} : { organization_id };
  for (const email_key of emailKeys(email)) {
    const newest = { descending: true, limit: mostInvitations };
    for (const invitation of await reads.list("invitations", { email_key, ...whose }, newest)) {
      if (!isSameMailbox(invitation.email, email)) continue;
      const organization = await reads.find("organizations", { id: invitation.organization_id });
      if (stateOfInvitation(invitation, organization, now) === "active") return invitation;
    }
  }
  return undefined;
}

/** Returns whether an invitation for this mailbox can be accepted now (`findOpenInvitation`). */
export async function isInvited(...found: Parameters<typeof findOpenInvitation>): Promise<boolean> {
  return (await findOpenInvitation(...found)) !== undefined;
}
