import { maskedEmail } from "../../../records/names/email.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";

/**
 * The address of somebody halfway in, as this browser may read it: in full where it was typed here, with a
 * password or for a code by mail.
 */
export function shownMailbox({ user, methods }: Pick<HalfSignIn, "user" | "methods">): string {
  const typed = methods.some(({ kind }) => kind === "password" || kind === "mail_code");
  return typed ? user.email : maskedEmail(user.email);
}
