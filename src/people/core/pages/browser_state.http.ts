/**
 * Identifies the signed-in user who sends a request, and verifies that a posted form is from a page of this
 * server (L-5).
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import { isForeignSite } from "../../../http/same_origin.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import { type FormHolder, formToken, isFormCookie, isFormToken, newFormCookie } from "../form_tokens.ts";
import type { HttpContext } from "../http_context.http.ts";
import { findSession } from "../sessions.ts";

export interface BrowserState {
  readonly signedIn: SignedIn | undefined;
  readonly has_session_cookie: boolean;
  readonly form_cookie: string | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    found_signed_in: SignedIn | undefined;
  }
}

export async function findBrowserState(
  request: FastifyRequest,
  { identity, secure }: HttpContext,
): Promise<BrowserState> {
  const session_cookie = readCookie(request, "session", secure);
  const form_cookie = readCookie(request, "form", secure);
  const signedIn = session_cookie === undefined ? undefined : await findSession(session_cookie, identity);
  request.found_signed_in = signedIn;
  return {
    signedIn,
    has_session_cookie: session_cookie !== undefined,
    form_cookie: form_cookie !== undefined && isFormCookie(form_cookie) ? form_cookie : undefined,
  };
}

/** Returns the CSRF token for a page's forms; `about` is as in `formToken`. */
export function csrfToken(
  browser: BrowserState,
  reply: FastifyReply,
  { identity, secure }: HttpContext,
  about?: string,
): string {
  const holder = holderOf(browser);
  if (holder !== undefined) return formToken(holder, identity, about);
  const form_cookie = newFormCookie(identity);
  setCookie(reply, "form", secure, form_cookie);
  return formToken({ form_cookie }, identity, about);
}

/** Returns the form cookie of this browser, created if missing. */
export function formCookieOf(
  { form_cookie }: BrowserState,
  reply: FastifyReply,
  { identity, secure }: HttpContext,
): string {
  if (form_cookie !== undefined) return form_cookie;
  const made = newFormCookie(identity);
  setCookie(reply, "form", secure, made);
  return made;
}

/**
 * Returns whether a posted form was shown to this session or browser with the same `about`. `Origin` is not
 * checked, because `Referrer-Policy: no-referrer` makes it `null` on this server's own forms.
 */
export function isOwnForm(
  request: FastifyRequest,
  params: Params,
  browser: BrowserState,
  { identity }: HttpContext,
  about?: string,
): boolean {
  if (isForeignSite(request)) return false;
  const holder = holderOf(browser);
  const token = params.get("csrf_token");
  return holder !== undefined && token !== undefined && isFormToken(token, holder, identity, about);
}

function holderOf({ signedIn, form_cookie }: BrowserState): FormHolder | undefined {
  if (signedIn !== undefined) return signedIn;
  return form_cookie === undefined ? undefined : { form_cookie };
}
