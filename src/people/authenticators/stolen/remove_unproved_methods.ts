import type { OAuthAccount, User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { removeUnprovedLinks } from "../../providers/unproved_links.ts";
import { dropPasskey } from "../passkeys/change_passkey.ts";

/**
 * Ends linked accounts, passkeys and API keys that a person who knew the first password may have created
 * (docs/decisions/providers.md). Does nothing if the email address was verified before.
 */
export async function removeUnprovedMethods(
  tx: Transaction,
  user: User,
  { origin, at }: { readonly origin: RequestOrigin; readonly at: Date },
  context: IdentityContext,
): Promise<{ readonly links: readonly OAuthAccount[]; readonly passkeys: readonly string[] }> {
  if (user.email_verified_at !== null) return { links: [], passkeys: [] };
  const links = await removeUnprovedLinks(tx, user, { origin, at }, context);
  const passkeys = (await tx.list("passkeys", { user_id: user.id })).filter(({ signs_in }) => signs_in);
  for (const passkey of passkeys) await dropPasskey(tx, passkey, origin, context);
  for (const { id } of await tx.list("api_keys", { user_id: user.id, revoked: false })) {
    await tx.update("api_keys", { id }, { revoked: true });
    const event = { type: "api_key.revoked", target_table: "api_keys", target_id: id, details: null };
    await auditOwnAct(tx, context, { user, origin, at }, event);
  }
  return { links, passkeys: passkeys.map(({ name }) => name) };
}
