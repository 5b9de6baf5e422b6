/** What follows once an authenticator app or a set of recovery codes is stored. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Enrolled } from "../../identity/second_factors/enrol_totp.ts";
import { newUndoToken } from "../../identity/second_factors/undo_factor.ts";
import { addMethods } from "../../identity/sessions.ts";
import type { HttpContext } from "../context.ts";
import { setCookie } from "../cookies.ts";
import { postNotice } from "./account_notices.ts";
import { type AccountPerson, backTo } from "./account_person.ts";
import { securityPath } from "./security_routes.ts";

/** Where "It was not me" leads, in the mail about an added factor. */
export const undoFactorPath = "/not-me";

/** Tells the user by mail; the session holds the factor that was just proved, with another cookie. */
export async function finishEnrolment(
  { app, codes }: Enrolled,
  { signedIn }: AccountPerson,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  context: HttpContext,
): Promise<FastifyReply> {
  const { server, identity, secure } = context;
  const { user } = signedIn;
  if (app === undefined) {
    postNotice(context, { kind: "recovery_codes", user, request });
    return backTo(reply, securityPath, "codes_made");
  }
  const token = await newUndoToken(user, app.id, identity);
  const not_me_href = `${server.issuer}${undoFactorPath}?token=${token}`;
  postNotice(context, { kind: "factor_added", user, request, name: app.name, not_me_href });
  if (codes) postNotice(context, { kind: "recovery_codes", user, request, not_me_href });
  const added = await addMethods(signedIn, [app.method], identity);
  if (added !== undefined) setCookie(reply, "session", secure, added.cookie);
  return backTo(reply, securityPath, "app_added");
}
