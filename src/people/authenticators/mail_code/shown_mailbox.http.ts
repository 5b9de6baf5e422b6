import { maskedEmail } from "../../../records/names/email.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";

/**
 * Returns the email address of a user who has given only the first factor, as this browser may show it. The
 * address is complete only if the user typed it in this browser, and masked otherwise.
 */
export function shownMailbox({ user, methods }: Pick<HalfSignIn, "user" | "methods">): string {
  const typed = methods.some(({ kind }) => kind === "password" || kind === "mail_code");
  return typed ? user.email : maskedEmail(user.email);
}
