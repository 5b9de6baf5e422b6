import type { HalfSignIn } from "../../../identity/half_sign_in.ts";
import { maskedEmail } from "../../../records/masked_email.ts";

/** Where a code was mailed, as this browser may read it: in full where the address was typed here. */
export function shownMailbox({ user, methods }: Pick<HalfSignIn, "user" | "methods">): string {
  const typed = methods.some(({ kind }) => kind === "password");
  return typed ? user.email : maskedEmail(user.email);
}
