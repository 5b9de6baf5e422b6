/**
 * Requires one proof of the mailbox after an administrator or a recovery removed a user's second factors
 * (MF-10).
 */
import type { User } from "../../records/definition/definition.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "./context/context.ts";

/** Returns whether the user's next sign-in needs a mailed code; always false on a server without email. */
export function owesMailbox(
  { factors_reset_at }: Pick<User, "factors_reset_at">,
  { sends_mail }: Pick<IdentityContext, "sends_mail">,
): boolean {
  return factors_reset_at !== null && sends_mail === true;
}

export const provesMailbox = (methods: readonly SignInMethod[]): boolean =>
  methods.some(({ kind }) => kind === "mail_code");

/**
 * Returns the change to the user's row after a sign-in with these methods. A proof of the mailbox clears
 * `factors_reset_at`, so later sign-ins need no mailed code.
 */
export function mailboxProved(
  { factors_reset_at }: Pick<User, "factors_reset_at">,
  methods: readonly SignInMethod[],
): Partial<Pick<User, "factors_reset_at">> {
  return factors_reset_at !== null && provesMailbox(methods) ? { factors_reset_at: null } : {};
}
