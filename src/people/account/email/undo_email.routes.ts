/** `/undo-email`: the link in the notice to the former email address after a change (SS-7). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { queryOf } from "../../../http/target.ts";
import { refuseRepeated } from "../../../oauth/core/params.ts";
import { emailLockHours } from "../../../records/names/liveness.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import { methodsWithoutLink } from "../../authenticators/password/password_reset.ts";
import { postResetLink } from "../../authenticators/password/post_reset_link.http.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { csrfToken, findBrowserState, isOwnForm } from "../../core/pages/browser_state.http.ts";
import { stolenLines } from "../endings/stolen_lines.view.ts";
import { deadEmailLinkPage, emailUndonePage, undoEmailPage } from "./undo_email.page.ts";
import { lookAtEmailUndo, undoEmail } from "./undo_email.ts";

const path = "/undo-email";

export const undoEmailHref = (issuer: string, token: string) => `${issuer}${path}?token=${token}`;

/** The routes work even if changes of email addresses have been disabled since the email was sent. */
export function undoEmailRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    token: string,
    { out_of_date }: { out_of_date?: boolean } = {},
  ): Promise<FastifyReply> {
    const locale = localeOf(request, `${path}?token=${encodeURIComponent(token.toWellFormed())}`);
    const seen = await lookAtEmailUndo(token, identity);
    if (seen === undefined) return sendPage(reply, deadEmailLinkPage(locale), { status: 404 });
    const csrf_token = csrfToken(await findBrowserState(request, context), reply, context);
    const page = undoEmailPage({
      ...locale,
      ...seen,
      lock_hours: emailLockHours,
      token,
      csrf_token,
      out_of_date,
    });
    return sendPage(reply, page, { status: out_of_date ? 403 : 200 });
  }

  getAndHead(app, path, { config: { errorFormat: "page" } }, async (request, reply) =>
    send(request, reply, queryOf(request).get("token") ?? ""),
  );

  app.post(path, { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const browser = await findBrowserState(request, context);
    if (!isOwnForm(request, params, browser, context)) {
      return send(request, reply, token, { out_of_date: true });
    }
    const origin = originOf(request);
    const undone = await undoEmail(token, origin, identity);
    const locale = localeOf(request);
    if (undone === undefined) return sendPage(reply, deadEmailLinkPage(locale), { status: 404 });
    const { before, email, kept, ended, at } = undone;
    postNotice(context, { kind: "email", user: before });
    const more = (words: PersonWords) => stolenLines(ended, words.impact);
    postNotice(context, { kind: "secured", user: { ...before, email }, request, more });
    const options = await methodsWithoutLink(before, identity);
    if (options === undefined) postResetLink(context, { email }, { origin, locale, undone_at: at });
    return sendPage(reply, emailUndonePage({ ...locale, kept, ended, options }));
  });
}
