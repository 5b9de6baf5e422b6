import type { MadeInvitation } from "../../../admin/access/actor.ts";
import { invitationDays } from "../../../admin/invitations/invitations.ts";
import { isRole } from "../../../records/definition/permissions.ts";
import type { Language } from "../../../web/words/language.ts";
import { wordsOf } from "../../../web/words/words.ts";
import type { HttpContext } from "../http_context.http.ts";
import { invitationMail } from "./invitation.mail.ts";

/**
 * Returns the URL of an invitation's acceptance page. `issuer` comes from the settings, never from a header.
 */
export const invitationLink = (issuer: string, token: string) => `${issuer}/invitation?token=${token}`;

/** Emails an invitation in the inviter's language. */
export function postInvitation(
  { mail, server }: Pick<HttpContext, "mail" | "server">,
  { invitation, organization, inviter, token, further_roles }: MadeInvitation,
  language: Language,
): void {
  mail?.post(async () => {
    const { role, email: to } = invitation;
    if (!isRole(role)) throw new TypeError("an invitation to a role that this server does not know");
    const message = invitationMail({
      words: wordsOf(language),
      language,
      server_name: new URL(server.issuer).host,
      inviter_email: inviter.email,
      organization_name: organization.name,
      role,
      further_roles,
      link: invitationLink(server.issuer, token),
      days: invitationDays,
    });
    return { to, ...message };
  });
}
