/** `/not-me`: the link in the mail about an added factor; open to everybody who has it (MF-12). */
import type { FastifyInstance } from "fastify";
import { waysWithoutLink } from "../../identity/password_reset.ts";
import { purposes } from "../../identity/proofs/purposes.ts";
import { isUndoLink, undoFactor } from "../../identity/second_factors/undo_factor.ts";
import { refuseRepeated } from "../../oauth/params.ts";
import { deadUndoLinkPage, factorUndonePage, undoFactorPage } from "../../web/pages/undo_factor_page.ts";
import { csrfToken, findBrowserState, isOwnForm } from "../browser_state.ts";
import type { HttpContext } from "../context.ts";
import { formOf } from "../form.ts";
import { getAndHead } from "../get_and_head.ts";
import { localeOf } from "../language.ts";
import { sendPage } from "../page.ts";
import { originOf } from "../request_origin.ts";
import { queryOf } from "../target.ts";
import { postNotice } from "./account_notices.ts";
import { undoFactorPath } from "./finish_enrolment.ts";
import { postResetLink } from "./post_reset_link.ts";

export function undoFactorRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;
  const { minutes } = purposes.factor_undo;
  const pages = { config: { errorFormat: "page" } } as const;
  const hrefOf = (token: string) => `${undoFactorPath}?token=${encodeURIComponent(token.toWellFormed())}`;

  getAndHead(app, undoFactorPath, pages, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    const locale = localeOf(request, hrefOf(token));
    if (!(await isUndoLink(token, identity)))
      return sendPage(reply, deadUndoLinkPage({ ...locale, minutes }), { status: 404 });
    const csrf_token = csrfToken(await findBrowserState(request, context), reply, context);
    return sendPage(reply, undoFactorPage({ ...locale, token, csrf_token }));
  });

  app.post(undoFactorPath, pages, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const browser = await findBrowserState(request, context);
    const locale = localeOf(request);
    if (!isOwnForm(request, params, browser, context)) return reply.redirect(hrefOf(token), 303);
    const origin = originOf(request);
    const undone = await undoFactor(token, origin, identity);
    if (undone === undefined)
      return sendPage(reply, deadUndoLinkPage({ ...locale, minutes }), { status: 404 });
    const { user, same_mailbox } = undone;
    postNotice(context, { kind: "factor_removed", user, request });
    if (!same_mailbox) return sendPage(reply, factorUndonePage({ ...locale, next: "moved" }));
    const ways = await waysWithoutLink(user, identity);
    if (ways === undefined) postResetLink(context, user, { origin, locale });
    return sendPage(reply, factorUndonePage({ ...locale, next: ways ?? "link" }));
  });
}
