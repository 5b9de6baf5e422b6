import type { FastifyReply, FastifyRequest } from "fastify";
import { originOf } from "../../../http/request_origin.ts";
import type { PersonWords } from "../../../web/words/en/catalogue.ts";
import type { StoreFactor } from "../../core/enrolled_factor.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { enqueueNotice, flushOutbox, postNotice } from "../../core/notices/account_notices.http.ts";
import { disownLink } from "../../core/notices/disown_link.http.ts";
import { type AccountPerson, backTo, securityPath } from "../../core/pages/account_person.http.ts";
import { continuationOf } from "../../core/pages/continuation.http.ts";
import { purposes } from "../../core/proofs/purposes.ts";
import { setSessionCookie } from "../../core/session_cookie.http.ts";
import { addMethods } from "../../core/sessions.ts";
import type { Enrolled, Enrolling, NotifyEnrolled } from "./enrol_factor.ts";

const outcomeOf = {
  totp: { notice: "factor_added", done: "app_added" },
  passkey: { notice: "passkey_added", done: "passkey_added" },
} as const;

/** Returns how an enrollment stores the factor and queues the notice. */
export function enrollingOf(
  { signedIn: { user, session } }: AccountPerson,
  request: FastifyRequest,
  context: HttpContext,
): Enrolling {
  const { minutes } = purposes.factor_undo;
  const notify: NotifyEnrolled = async (tx, { factor, codes }) => {
    if (factor === undefined) return;
    const { kind, name } = factor;
    const link = disownLink({ user, since: session.created_at, factor }, context);
    const notice = {
      user,
      request,
      not_me_href: await link(tx),
      minutes,
    };
    // Mentions new recovery codes in the factor's notice, so each action causes one email.
    const more = codes ? { more: ({ notices }: PersonWords) => [notices.withCodes] } : {};
    await enqueueNotice(tx, { ...notice, ...more, kind: outcomeOf[kind].notice, name }, context);
  };
  return {
    origin: originOf(request),
    store: storeIn(context),
    ...(context.mail !== undefined && { notify }),
  };
}

/** Returns a function that stores a factor through the authenticator of its kind. */
export const storeIn =
  ({ authenticators }: Pick<HttpContext, "authenticators">): StoreFactor =>
  async (tx, user, factor, origin, context) => {
    const store = authenticators.find(({ kind }) => kind === factor.kind)?.store;
    if (store === undefined) throw new TypeError(`no ${factor.kind} is stored as a second factor`);
    return store(tx, user, factor, origin, context);
  };

/** Notifies the user, and adds the proof of a new factor to the session, which then gets a new cookie. */
export async function finishEnrolment(
  { factor }: Enrolled,
  { signedIn, params }: AccountPerson,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  context: HttpContext,
): Promise<FastifyReply> {
  const { identity } = context;
  const { user, session } = signedIn;
  if (factor === undefined) {
    const not_me_href = disownLink({ user, since: session.created_at }, context);
    postNotice(context, { kind: "recovery_codes", user, request, not_me_href });
    return backTo(reply, securityPath, "codes_made");
  }
  const { kind, method } = factor;
  flushOutbox(context);
  const added = await addMethods(signedIn, [method], identity);
  if (added !== undefined) setSessionCookie(reply, added.cookie, added.signedIn.session, context);
  const { location } = continuationOf(params, context);
  return location === undefined
    ? backTo(reply, securityPath, outcomeOf[kind].done)
    : reply.redirect(location, 303);
}
