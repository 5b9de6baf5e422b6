import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import type { User } from "../../../records/definition/definition.ts";
import { browserMarkDays, hasBeenHere, markBrowser } from "../browser_marks.ts";
import type { HttpContext } from "../http_context.http.ts";
import { postNotice } from "../notices/account_notices.http.ts";
import { wantsDeviceNotice } from "../notices/device_notices.ts";
import { disownLink } from "../notices/disown_link.http.ts";

export function browserMarks(request: FastifyRequest, { secure }: HttpContext): string | undefined {
  return readCookie(request, "browser", secure);
}

/**
 * Marks this browser as one in which the user has signed in, and notifies the user if the browser is new
 * (SS-9).
 */
export function rememberBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  user: User,
  context: HttpContext,
): void {
  if (!hasBeenHere(browserMarks(request, context), user, context.identity)) {
    postNotice(context, {
      kind: "new_device",
      user,
      request,
      // The link in the email ends the user's sessions and tokens, and the user's records created from now on
      // (SS-15).
      not_me_href: disownLink({ user, since: context.server.now() }, context),
      unless: async () => !(await wantsDeviceNotice(user, context.identity)),
    });
  }
  mark(request, reply, user, context);
}

function mark(
  request: FastifyRequest,
  reply: FastifyReply,
  user: Pick<User, "id" | "tokens_not_before">,
  context: HttpContext,
  before = user,
): void {
  const marks = markBrowser(browserMarks(request, context), user, context.identity, before);
  setCookie(reply, "browser", context.secure, marks, browserMarkDays);
}

/**
 * Marks the browser again after a new password, which ended every mark. If the user proved the old password,
 * `before` keeps the age of the marks.
 */
export async function rememberAnew(
  request: FastifyRequest,
  reply: FastifyReply,
  { id }: Pick<User, "id">,
  context: HttpContext,
  before?: User,
): Promise<void> {
  const user = await context.identity.store.find("users", { id });
  if (user !== undefined) mark(request, reply, user, context, before);
}
