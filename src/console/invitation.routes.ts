import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import {
  invitationDays,
  inviteMember,
  listInvitations,
  withdrawInvitation,
} from "../admin/invitations/invitations.ts";
import { sendPage } from "../http/page.ts";
import { refuseRepeated } from "../oauth/core/params.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { invitationLink } from "../people/core/notices/post_invitation.http.ts";
import { invitationAcceptanceRoutes } from "../people/entry/invitation_acceptance.routes.ts";
import { isRole } from "../records/definition/permissions.ts";
import { roleLists } from "../records/names/names.ts";
import { type ConsolePerson, consolePages, sudoFor } from "./frame/viewer.http.ts";
import { type InvitePage, invitePage } from "./invite.page.ts";

type PageState = Partial<Pick<InvitePage, "email" | "role" | "chosen" | "error" | "made" | "withdrawn">> & {
  readonly status?: number;
  readonly invited?: string | undefined;
};

const path = "/console/organizations/:id/invite";

export function invitationRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { server, mail } = context;
  invitationAcceptanceRoutes(app, context);

  async function sendInvite(
    { admin, page, csrf_token, id }: ConsolePerson,
    reply: FastifyReply,
    { status = 200, invited, ...pageState }: PageState = {},
  ): Promise<FastifyReply> {
    const { organization, roles, further, open } = await listInvitations(admin, id);
    const shown = open.map(({ invitation, ...more }) => ({ ...invitation, ...more }));
    const mailed = shown.find(({ id }) => id === invited);
    const made = mailed && { email: mailed.email, link: undefined };
    const known = { organization, csrf_token, days: invitationDays, roles, further, open: shown, made };
    const invite = { ...page, ...known, ...pageState };
    return sendPage(reply, invitePage(invite), { status });
  }

  pages.get(path, async (person, _request, reply) => {
    const { params } = person;
    return sendInvite(person, reply, {
      withdrawn: params.get("done") === "withdrawn",
      invited: params.get("invited"),
    });
  });

  const invite = async (person: ConsolePerson, _request: FastifyRequest, reply: FastifyReply) => {
    const { admin, params, page, id } = person;
    refuseRepeated(params);
    const email = params.get("email") ?? "";
    const role = params.get("role") ?? "";
    const chosen = Object.fromEntries(
      roleLists.map((list) => {
        const prefix = `${list}/`;
        const names = params.pairs.map(([name]) => name).filter((name) => name.startsWith(prefix));
        return [list, names.map((name) => name.slice(prefix.length))];
      }),
    );
    const outcome = await inviteMember(admin, id, { email, role, ...chosen });
    const locale = { ...person, page: { ...page, return_to: `/console/organizations/${id}/invite` } };
    if (outcome.type === "refused") {
      const input = { email, role: isRole(role) ? role : undefined, chosen: Object.values(chosen).flat() };
      const status = outcome.error === "throttled" ? 429 : 422;
      if (outcome.retry_after !== undefined) reply.header("retry-after", outcome.retry_after);
      return sendInvite(locale, reply, { ...input, error: outcome.error, status });
    }
    // Anyone with the link can create an account with the invited email address. The link is shown only if
    // the server cannot send it to that address.
    if (mail === undefined) {
      const link = invitationLink(server.issuer, outcome.token);
      return sendInvite(locale, reply, { made: { email: outcome.invitation.email, link } });
    }
    // Redirects, because reloading this page would send the email again (RFC 9110, section 15.4.4).
    const here = `/console/organizations/${encodeURIComponent(id)}/invite`;
    return reply.redirect(`${here}?invited=${outcome.invitation.id}`, 303);
  };
  pages.post(path, invite, sudoFor("memberships"));

  pages.post(`${path}/withdraw`, async ({ admin, params, id }, _request, reply) => {
    refuseRepeated(params);
    await withdrawInvitation(admin, id, params.get("invitation") ?? "");
    return reply.redirect(`/console/organizations/${encodeURIComponent(id)}/invite?done=withdrawn`, 303);
  });
}
