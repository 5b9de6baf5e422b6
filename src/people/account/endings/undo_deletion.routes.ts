import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { formOf } from "../../../http/form.ts";
import { getAndHead } from "../../../http/get_and_head.ts";
import { localeOf } from "../../../http/language.ts";
import { sendPage } from "../../../http/page.ts";
import { originOf } from "../../../http/request_origin.ts";
import { queryOf } from "../../../http/target.ts";
import { refuseRepeated } from "../../../oauth/core/params.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import {
  type BrowserState,
  csrfToken,
  findBrowserState,
  isOwnForm,
} from "../../core/pages/browser_state.http.ts";
import { undoDeletionPath } from "../../core/pages/lead_to_undo.http.ts";
import { deletionAt, type UndoPlace, undoDeletion } from "../../core/undo_deletion.ts";
import { deadDeletionPage, deletionUndonePage, undoDeletionPage } from "./undo_deletion.page.ts";

const path = undoDeletionPath;

/** The routes require a correct first factor in this browser, or the mailed link. */
export function undoDeletionRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;

  const undoPlace = (token: string, { form_cookie = "" }: BrowserState): UndoPlace =>
    token === "" ? { browser: form_cookie } : { token };

  /**
   * Binds the form's CSRF token to one deletion, because another tab may meanwhile show the deletion of a
   * different account.
   */
  const requested = (deletion_at: Date | undefined) =>
    deletion_at && `the deletion at ${deletion_at.toISOString()}`;

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    browser: BrowserState,
    token: string,
    { out_of_date }: { out_of_date?: boolean } = {},
  ): Promise<FastifyReply> {
    const here = token === "" ? path : `${path}?token=${encodeURIComponent(token.toWellFormed())}`;
    const locale = localeOf(request, here);
    const deletion_at = await deletionAt(undoPlace(token, browser), identity);
    if (deletion_at === undefined) return sendPage(reply, deadDeletionPage(locale), { status: 404 });
    const csrf_token = csrfToken(browser, reply, context, requested(deletion_at));
    const page = undoDeletionPage({ ...locale, deletion_at, token, csrf_token, out_of_date });
    return sendPage(reply, page, { status: out_of_date ? 403 : 200 });
  }

  getAndHead(app, path, { config: { errorFormat: "page" } }, async (request, reply) =>
    send(request, reply, await findBrowserState(request, context), queryOf(request).get("token") ?? ""),
  );

  app.post(path, { config: { errorFormat: "page" } }, async (request, reply) => {
    const params = formOf(request);
    refuseRepeated(params);
    const token = params.get("token") ?? "";
    const browser = await findBrowserState(request, context);
    const deletion_at = await deletionAt(undoPlace(token, browser), identity);
    if (!isOwnForm(request, params, browser, context, requested(deletion_at))) {
      return send(request, reply, browser, token, { out_of_date: true });
    }
    const kept = await undoDeletion(undoPlace(token, browser), originOf(request), identity);
    const locale = localeOf(request);
    if (!kept) return sendPage(reply, deadDeletionPage(locale), { status: 404 });
    return sendPage(reply, deletionUndonePage(locale));
  });
}
