/** Binds a form to the browser that it was shown to, so other sites cannot submit it (L-5). */
import { credentialPrefix, findSignature, newCredential } from "../../crypto/credentials.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "./context/context.ts";

export type FormHolder = SignedIn | { readonly form_cookie: string };

/** Returns a cookie that only shows that a later request comes from the same browser. */
export function newFormCookie({ now }: IdentityContext): string {
  return newCredential(credentialPrefix.one_time, now());
}

/** Returns whether a string has the format of a form cookie. */
export function isFormCookie(text: string): boolean {
  return findSignature(credentialPrefix.one_time, text) !== undefined;
}

/**
 * Returns the CSRF token for forms shown to this holder. `about` is needed where another tab can change the
 * form's subject for the same holder.
 */
export function formToken(holder: FormHolder, { sealer }: IdentityContext, about?: string): string {
  return sealer.mac("form", textOf(holder, about));
}

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
