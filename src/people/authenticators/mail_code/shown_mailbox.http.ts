import { maskedEmail } from "../../../records/names/email.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";

/**
 * Returns the email address of a user who has given only the first factor. It is masked unless the user typed
 * it in this browser.
 */
export function shownMailbox({ user, methods }: Pick<HalfSignIn, "user" | "methods">): string {
  const typed = methods.some(({ kind }) => kind === "password" || kind === "mail_code");
  return typed ? user.email : maskedEmail(user.email);
}
