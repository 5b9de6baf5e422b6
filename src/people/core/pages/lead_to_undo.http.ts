import type { FastifyReply } from "fastify";
import type { HttpContext } from "../http_context.http.ts";
import { offerUndo } from "../undo_deletion.ts";
import { type BrowserState, formCookieOf } from "./browser_state.http.ts";

export const undoDeletionPath = "/sign-in/undo-deletion";

/**
 * Redirects a user with a correct first factor to the page that cancels the deletion of the account (SS-12).
 */
export async function leadToUndo(
  user: Parameters<typeof offerUndo>[0],
  { browser, reply }: { readonly browser: BrowserState; readonly reply: FastifyReply },
  context: HttpContext,
): Promise<FastifyReply> {
  await offerUndo(user, formCookieOf(browser, reply, context), context.identity);
  return reply.redirect(undoDeletionPath, 302);
}
