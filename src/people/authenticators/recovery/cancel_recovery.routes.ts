/** Cancels a pending recovery (MF-10), through the link in its emails or in any session of its user. */
import type { FastifyInstance } from "fastify";
import { formOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { queryOf } from "../../../http/target.ts";
import { refuseRepeated } from "../../../oauth/core/params.ts";
import { cancelRecovery, hasRecovery, lostIn, recoveryOfLink } from "../../core/delayed_recovery.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { postNotice } from "../../core/notices/account_notices.http.ts";
import { accountPages, backTo } from "../../core/pages/account_person.http.ts";
import { csrfToken, findBrowserState, isOwnForm } from "../../core/pages/browser_state.http.ts";
import { cancelRecoveryPage, deadRecoveryLinkPage, recoveryCancelledPage } from "./cancel_recovery.page.ts";
import { cancelRecoveryPath, recoveryNotice } from "./recovery_notices.http.ts";

export function cancelRecoveryRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;
  const pages = { config: { errorFormat: "page" } } as const;
  if (!hasRecovery(identity)) return;

  const hrefOf = (token: string) => `${cancelRecoveryPath}?token=${encodeURIComponent(token.toWellFormed())}`;

  getAndHead(app, cancelRecoveryPath, pages, async (request, reply) => {
    const token = queryOf(request).get("token") ?? "";
    const locale = localeOf(request, hrefOf(token));
    const recovery = await recoveryOfLink(token, identity);
    if (recovery === undefined) {
      return sendPage(reply, deadRecoveryLinkPage(locale), { status: 404 });
    }
    const csrf_token = csrfToken(await findBrowserState(request, context), reply, context);
    return sendPage(reply, cancelRecoveryPage({ ...locale, lost: lostIn(recovery), token, csrf_token }));
  });

  app.post(cancelRecoveryPath, pages, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const browser = await findBrowserState(request, context);
    if (!isOwnForm(request, params, browser, context)) return reply.redirect(hrefOf(token), 303);
    const recovery = await recoveryOfLink(token, identity);
    const user = { id: recovery?.user_id ?? "" };
    const input = { by: "link", origin: originOf(request), id: recovery?.id ?? "" } as const;
    const cancelled = recovery && (await cancelRecovery(user, input, identity));
    if (cancelled === undefined) {
      return sendPage(reply, deadRecoveryLinkPage(localeOf(request)), { status: 404 });
    }
    const lost = lostIn(cancelled);
    postNotice(context, { kind: recoveryNotice(lost, "cancelled"), user, request });
    return sendPage(reply, recoveryCancelledPage({ ...localeOf(request), lost }));
  });

  accountPages(app, context).post(
    "/account/recovery/cancel",
    async ({ signedIn: { user } }, request, reply) => {
      const cancelled = await cancelRecovery(user, { by: "session", origin: originOf(request) }, identity);
      const kind = cancelled && recoveryNotice(lostIn(cancelled), "cancelled");
      if (kind !== undefined) postNotice(context, { kind, user, request });
      return backTo(reply, "/account/security", kind ?? "recovery_cancelled");
    },
  );
}
