import { maskedEmail } from "../../../records/names/email.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";

/**
 * Returns the email address of a half sign-in as this browser may show it. The address is shown in full only
 * if the user typed it in this browser, for a password or a mailed code.
 */
export function shownMailbox({ user, methods }: Pick<HalfSignIn, "user" | "methods">): string {
  const typed = methods.some(({ kind }) => kind === "password" || kind === "mail_code");
  return typed ? user.email : maskedEmail(user.email);
}
