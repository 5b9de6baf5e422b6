import { maskedEmail } from "../../../records/names/email.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";

/**
 * The address of a half-finished sign-in, as this browser may show it: in full if it was typed here, with a
 * password or for a code by mail.
 */
export function shownMailbox({ user, methods }: Pick<HalfSignIn, "user" | "methods">): string {
  const typed = methods.some(({ kind }) => kind === "password" || kind === "mail_code");
  return typed ? user.email : maskedEmail(user.email);
}
