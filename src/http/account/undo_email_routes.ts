/** `/undo-email`: where the notice of another address leads the holder of the former one (SS-7). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { lookAtEmailUndo, undoEmail } from "../../identity/own_account/undo_email.ts";
import { waysWithoutLink } from "../../identity/password_reset.ts";
import { refuseRepeated } from "../../oauth/params.ts";
import { emailLockHours } from "../../records/liveness.ts";
import { stolenLines } from "../../web/pages/stolen_lines.ts";
import { deadEmailLinkPage, emailUndonePage, undoEmailPage } from "../../web/pages/undo_email_page.ts";
import type { PersonWords } from "../../web/words/en/catalogue.ts";
import { csrfToken, findBrowserState, isOwnForm } from "../browser_state.ts";
import type { HttpContext } from "../context.ts";
import { formOf } from "../form.ts";
import { getAndHead } from "../get_and_head.ts";
import { localeOf } from "../language.ts";
import { sendPage } from "../page.ts";
import { originOf } from "../request_origin.ts";
import { queryOf } from "../target.ts";
import { postNotice } from "./account_notices.ts";
import { postResetLink } from "./post_reset_link.ts";

const path = "/undo-email";

export const undoEmailHref = (issuer: string, token: string) => `${issuer}${path}?token=${token}`;

/** Open to everybody with the link, whether or not the address may still be changed here. */
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
    const ways = await waysWithoutLink(before, identity);
    if (ways === undefined) postResetLink(context, { email }, { origin, locale, undone_at: at });
    return sendPage(reply, emailUndonePage({ ...locale, kept, ended, ways }));
  });
}
