import type { User } from "../../records/definition/definition.ts";
import { type FactorKind, factorKindsIn } from "../../records/definition/factor_kinds.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { owesMailbox } from "../core/owed_mailbox.ts";

const most = 100;

/**
 * Returns the user's kinds of second factor, the most recently used first and recovery codes last (MF-8).
 * Only `mail_code` is returned if the user needs a mailed code.
 */
export async function offeredKinds(
  user: Pick<User, "id" | "password_hash" | "is_platform_admin" | "factors_reset_at">,
  context: Pick<IdentityContext, "store" | "sends_mail">,
): Promise<FactorKind[]> {
  if (owesMailbox(user, context)) return ["mail_code"];
  const { store } = context;
  const user_id = user.id;
  const [enrolled, passkeys, apps] = await Promise.all([
    store.enrolledMethods(user),
    store.list("passkeys", { user_id }, { limit: most }),
    store.list("totp_authenticators", { user_id }, { limit: most }),
  ]);
  const newest = (rows: readonly { readonly last_used_at: Date | null }[]) =>
    Math.max(0, ...rows.map(({ last_used_at }) => last_used_at?.getTime() ?? 0));
  const used = { passkey: newest(passkeys), totp: newest(apps), recovery_code: -1, mail_code: -1 };
  return factorKindsIn(enrolled).toSorted((one, other) => used[other] - used[one]);
}
