import type { User } from "../../../records/definition/definition.ts";
import { hasSecondFactor } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";

/**
 * Applies the consequences of adding or removing a second factor, in the same transaction. Every remembered
 * browser of the user is forgotten (MF-13). If no second factor is left, the recovery codes are deleted.
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
