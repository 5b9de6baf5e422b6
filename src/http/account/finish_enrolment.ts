/** What follows once an authenticator app or a set of recovery codes is stored. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Enrolled } from "../../identity/second_factors/enrol_factor.ts";
import { newUndoToken } from "../../identity/second_factors/undo_factor.ts";
import { addMethods } from "../../identity/sessions.ts";
import type { HttpContext } from "../context.ts";
import { setCookie } from "../cookies.ts";
import { postNotice } from "./account_notices.ts";
import { type AccountPerson, backTo } from "./account_person.ts";
import { securityPath } from "./security_routes.ts";
import { wayOn } from "./way_on.ts";

/** Where "It was not me" leads, in the mail about an added factor. */
export const undoFactorPath = "/not-me";

const told = {
  totp: { notice: "factor_added", done: "app_added" },
  passkey: { notice: "passkey_added", done: "passkey_added" },
} as const;

/** Tells the user by mail; the session holds the factor that was just proved, with another cookie. */
export async function finishEnrolment(
  { factor, codes }: Enrolled,
  { signedIn, params }: AccountPerson,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  context: HttpContext,
): Promise<FastifyReply> {
  const { server, identity, secure } = context;
  const { user } = signedIn;
  if (factor === undefined) {
    postNotice(context, { kind: "recovery_codes", user, request });
    return backTo(reply, securityPath, "codes_made");
  }
  const { kind, name, method } = factor;
  const token = await newUndoToken(user, factor, identity);
  const not_me_href = `${server.issuer}${undoFactorPath}?token=${token}`;
  postNotice(context, { kind: told[kind].notice, user, request, name, not_me_href });
  if (codes) postNotice(context, { kind: "recovery_codes", user, request, not_me_href });
  const added = await addMethods(signedIn, [method], identity);
  if (added !== undefined) setCookie(reply, "session", secure, added.cookie);
  const { location } = await wayOn(params, context);
  return location === undefined
    ? backTo(reply, securityPath, told[kind].done)
    : reply.redirect(location, 303);
}
