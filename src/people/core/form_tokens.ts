/** Binds a form to the browser it was shown to, so that no other site can post it (L-5). */
import { credentialPrefix, findSignature, newCredential } from "../../crypto/credentials.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "./context/context.ts";

/** The holder of a form: a signed-in session, or a browser with a form cookie. */
export type FormHolder = SignedIn | { readonly form_cookie: string };

/** A cookie for a browser without a session. It proves nothing but that it is the same browser. */
export function newFormCookie({ now }: IdentityContext): string {
  return newCredential(credentialPrefix.one_time, now());
}

/** Whether a text has the shape of a form cookie; anything else is as good as none. */
export function isFormCookie(text: string): boolean {
  return findSignature(credentialPrefix.one_time, text) !== undefined;
}

/**
 * The token that a form shown to this holder carries. `about` names what the form asks, where another tab can
 * change that without another holder.
 */
export function formToken(holder: FormHolder, { sealer }: IdentityContext, about?: string): string {
  return sealer.mac("form", textOf(holder, about));
}

/** Whether a posted token is the one that this holder's forms carry; compared in constant time. */
export function isFormToken(
  token: string,
  holder: FormHolder,
  { sealer }: IdentityContext,
  about?: string,
): boolean {
  return sealer.macIs("form", textOf(holder, about), token);
}

function textOf(holder: FormHolder, about: string | undefined): string {
  const text = "session" in holder ? `form of session ${holder.session.id}` : `form of ${holder.form_cookie}`;
  return about === undefined ? text : `${text} about ${about}`;
}
