import type { User } from "../../../records/definition/definition.ts";
import { hasSecondFactor } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";

/**
 * Forgets every remembered browser of the user (MF-13), and deletes the recovery codes if no second factor is
 * left. Runs in the transaction that adds or removes a factor.
 */
export async function followFactorChange(
  tx: Transaction,
  { id: user_id }: Pick<User, "id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<void> {
  await tx.remove("devices", { user_id });
  const factors = await store.secondFactorsOf(user_id, tx);
  const none = { password: false, recovery_codes: 0, providers: [] };
  if (!hasSecondFactor({ ...factors, ...none })) await tx.remove("recovery_codes", { user_id });
}
