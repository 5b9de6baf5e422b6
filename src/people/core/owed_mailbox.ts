/** After an administrator took the second factors of a user: the mailbox is proved once (MF-10). */
import type { User } from "../../records/definition/definition.ts";
import type { SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "./context/context.ts";

/** Whether the user needs a code by mail; never if mail cannot be sent. */
export function owesMailbox(
  { factors_reset_at }: Pick<User, "factors_reset_at">,
  { sends_mail }: Pick<IdentityContext, "sends_mail">,
): boolean {
  return factors_reset_at !== null && sends_mail === true;
}

export const provesMailbox = (methods: readonly SignInMethod[]): boolean =>
  methods.some(({ kind }) => kind === "mail_code");

/** The changes of the user's row by a sign-in with these methods. */
export function mailboxProved(
  { factors_reset_at }: Pick<User, "factors_reset_at">,
  methods: readonly SignInMethod[],
): Partial<Pick<User, "factors_reset_at">> {
  return factors_reset_at !== null && provesMailbox(methods) ? { factors_reset_at: null } : {};
}
