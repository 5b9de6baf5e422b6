/** `/account/deletion`: self-service account deletion, if enabled (SS-12). */
import type { FastifyInstance, FastifyReply } from "fastify";
import { requestDeletion, toSettle } from "../../../admin/records/own_deletion.ts";
import { impactLimit } from "../../../admin/reports/impact.ts";
import { clearCookie } from "../../../http/cookies.ts";
import { languageOf, localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { deletionDays } from "../../../records/names/deletion_days.ts";
import { trimEmail } from "../../../records/names/email.ts";
import { momentText } from "../../../web/moment.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { enqueueNotice, flushOutbox } from "../../core/notices/account_notices.http.ts";
import { type AccountPerson, accountPages } from "../../core/pages/account_person.http.ts";
import { undoDeletionPath } from "../../core/pages/lead_to_undo.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { makeUndoLink } from "../../core/undo_deletion.ts";
import { type OwnDeletionPage, ownDeletionPage } from "./own_deletion.page.ts";
import { deletionRequestedPage } from "./undo_deletion.page.ts";

export const ownDeletionPath = "/account/deletion";
const path = ownDeletionPath;

export function mayDeleteOwnAccount({ identity }: Pick<HttpContext, "identity">): boolean {
  return identity.settings?.self_service?.includes("deletion") ?? false;
}

export function ownDeletionRoutes(app: FastifyInstance, context: HttpContext): void {
  if (!mayDeleteOwnAccount(context)) return;
  const pages = accountPages(app, context);
  const { identity, server, secure } = context;

  async function send(
    { page, admin, signedIn, csrf_token }: AccountPerson,
    reply: FastifyReply,
    pageState: Pick<OwnDeletionPage, "typed" | "error"> = {},
  ): Promise<FastifyReply> {
    const { id } = signedIn.user;
    const settle = await toSettle(admin, signedIn.user);
    const impact = await admin.store.impactOf("users", id, admin.now(), impactLimit);
    const shown = {
      ...page,
      ...pageState,
      ...settle,
      impact,
      limit: impactLimit,
      days: deletionDays,
      csrf_token,
    };
    const answer = ownDeletionPage(shown);
    return sendPage(reply, answer, { status: pageState.error === undefined ? 200 : 409 });
  }

  pages.get(path, (person, _, reply) => send(person, reply));

  pages.post(
    path,
    async (person, request, reply) => {
      const { admin, params } = person;
      const { user } = person.signedIn;
      const typed = trimEmail(params.get("successor") ?? "");
      const requested = await requestDeletion(admin, user, {
        successor: typed === "" ? undefined : typed,
        async enqueueCancelLink(tx, deletion_at) {
          const token = await makeUndoLink(tx, { id: user.id, deletion_at }, identity);
          const day = momentText(deletion_at, "day", languageOf(request));
          const notice = {
            kind: "deletion",
            user,
            request,
            more: ({ ownAccount }: PersonWords) => [ownAccount.deletion.mailUntil(day)],
            not_me_href: `${server.issuer}${undoDeletionPath}?token=${token}`,
            minutes: purposes.undo_deletion_link.minutes,
          } as const;
          await enqueueNotice(tx, notice, context);
        },
      });
      if (requested.type === "refused") return send(person, reply, { typed, error: requested.reason });
      const { until } = requested;
      flushOutbox(context);
      clearCookie(reply, "session", secure);
      return sendPage(reply, deletionRequestedPage({ ...localeOf(request, "/login"), until }));
    },
    { return_to: path, sudo: true },
  );
}
