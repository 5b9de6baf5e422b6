import type { FastifyReply } from "fastify";
import { type BrowserState, formCookieOf } from "../../../http/browser_state.ts";
import type { HttpContext } from "../../../http/context.ts";
import { undoDeletionPath } from "./undo_deletion.routes.ts";
import { offerUndo } from "./undo_deletion.ts";

/** Leads somebody who gave a right first factor to the page that keeps their account (SS-12). */
export async function leadToUndo(
  user: Parameters<typeof offerUndo>[0],
  { browser, reply }: { readonly browser: BrowserState; readonly reply: FastifyReply },
  context: HttpContext,
): Promise<FastifyReply> {
  await offerUndo(user, formCookieOf(browser, reply, context), context.identity);
  return reply.redirect(undoDeletionPath, 302);
}
