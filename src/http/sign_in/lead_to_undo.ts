import type { FastifyReply } from "fastify";
import { offerUndo } from "../../identity/own_account/undo_deletion.ts";
import { type BrowserState, formCookieOf } from "../browser_state.ts";
import type { HttpContext } from "../context.ts";
import { undoDeletionPath } from "./undo_deletion_routes.ts";

/** Leads somebody who gave a right first factor to the page that keeps their account (SS-12). */
export async function leadToUndo(
  user: Parameters<typeof offerUndo>[0],
  { browser, reply }: { readonly browser: BrowserState; readonly reply: FastifyReply },
  context: HttpContext,
): Promise<FastifyReply> {
  await offerUndo(user, formCookieOf(browser, reply, context), context.identity);
  return reply.redirect(undoDeletionPath, 302);
}
