import type { User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { givesSecondFactor, type SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import type { IdentityContext } from "./context/context.ts";
import { cancelRecovery, endRecovery, type Recovery } from "./delayed_recovery.ts";

/** Cancels the recovery of a user who uses a factor that was reported lost. */
export async function cancelByUse(
  user: Pick<User, "id">,
  input: readonly SignInMethod[],
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  if (!givesSecondFactor(input)) return;
  const recovery = await context.store.find("recoveries", { user_id: user.id });
  if (recovery === undefined || !(await hasTurnedUp(recovery, input, context))) return;
  await cancelRecovery(user, { by: "sign_in", origin, id: recovery.id }, context);
}

interface PasskeyUse {
  readonly user: Pick<User, "id">;
  readonly method: SignInMethod;
  readonly origin: RequestOrigin;
  readonly note: (writes: Pick<Verbs, "update">) => Promise<boolean>;
}

/**
 * Records the use of a passkey and, in the same commit, cancels the recovery that would remove it (H-53).
 * Returns what `note` returns.
 */
export async function noteUseOfPasskey(
  { user, method, origin, note }: PasskeyUse,
  context: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  const { store } = context;
  // Reading before the transaction is safe, because a recovery that begins later removes no passkey for
  // hours.
  const recovery = await store.find("recoveries", { user_id: user.id });
  if (recovery === undefined) return note(store);
  return store.transaction(
    async (tx) => {
      await tx.lock(userLock(user.id));
      if (!(await note(tx))) return false;
      if (await hasTurnedUp(recovery, [method], context, tx))
        await endRecovery(tx, recovery, { by: "sign_in", origin }, context);
      return true;
    },
    { quiet: true },
  );
}

/**
 * Using a second factor disproves the loss of all factors. The loss of passkeys is disproved only by a
 * passkey that signs in on its own or was used with user verification.
 */
async function hasTurnedUp(
  { user_id, passkeys_only }: Recovery,
  input: readonly SignInMethod[],
  { store }: Pick<IdentityContext, "store">,
  reads: Pick<Verbs, "list"> = store,
): Promise<boolean> {
  if (!passkeys_only) return true;
  const used = input.filter(({ kind }) => kind === "passkey");
  if (used.some(({ uv }) => uv)) return true;
  const { passkeys } = await store.secondFactorsOf(user_id, reads);
  return used.some(({ credential }) => credential !== null && passkeys.includes(credential));
}
