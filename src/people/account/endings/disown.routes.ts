/** `/not-me`: the link in an email about an account change. It works without a session (SS-15). */
import type { FastifyInstance } from "fastify";
import { formOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { queryOf } from "../../../http/target.ts";
import { refuseRepeated } from "../../../oauth/core/params.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import { methodsWithoutLink } from "../../authenticators/password/password_reset.ts";
import { postResetLink } from "../../authenticators/password/post_reset_link.http.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { disownPath } from "../../core/notices/disown_link.http.ts";
import { csrfToken, findBrowserState, isOwnForm } from "../../core/pages/browser_state.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { deadDisownLinkPage, disownedPage, disownPage } from "./disown.page.ts";
import { disown, lookAtDisownLink } from "./disown.ts";
import { stolenLines } from "./stolen_lines.view.ts";

export function disownRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;
  const { minutes } = purposes.factor_undo;
  const pages = { config: { errorFormat: "page" } } as const;
  const hrefOf = (token: string) => `${disownPath}?token=${encodeURIComponent(token.toWellFormed())}`;

  getAndHead(app, disownPath, pages, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    const locale = localeOf(request, hrefOf(token));
    const ended = await lookAtDisownLink(token, identity);
    if (ended === undefined)
      return sendPage(reply, deadDisownLinkPage({ ...locale, minutes }), { status: 404 });
    const csrf_token = csrfToken(await findBrowserState(request, context), reply, context);
    return sendPage(reply, disownPage({ ...locale, token, csrf_token, ended }));
  });

  app.post(disownPath, pages, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const browser = await findBrowserState(request, context);
    const locale = localeOf(request);
    if (!isOwnForm(request, params, browser, context)) return reply.redirect(hrefOf(token), 303);
    const origin = originOf(request);
    const undone = await disown(token, origin, identity);
    if (undone === undefined)
      return sendPage(reply, deadDisownLinkPage({ ...locale, minutes }), { status: 404 });
    const { user, same_mailbox, ended, at } = undone;
    const more = (words: PersonWords) => stolenLines(ended, words.impact);
    postNotice(context, { kind: "secured", user, request, more });
    if (!same_mailbox) return sendPage(reply, disownedPage({ ...locale, ended, next: "moved" }));
    const options = await methodsWithoutLink(user, identity);
    if (options === undefined) postResetLink(context, user, { origin, locale, undone_at: at });
    return sendPage(reply, disownedPage({ ...locale, ended, next: options ?? "link" }));
  });
}
