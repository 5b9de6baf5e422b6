/** Renames and removes a person's own passkey. */

import { userLock } from "../../records/lock_names.ts";
import type { RequestOrigin, SignedIn } from "../../records/request_origin.ts";
import { highestAcr } from "../../records/sign_in_methods.ts";
import type { IdentityContext } from "../context.ts";
import type { Passkey } from "./own_passkeys.ts";

/** Gives a passkey another name, which the caller has checked against the definition. */
export async function renamePasskey(
  passkey: Passkey,
  name: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  await context.store.update("passkeys", { id: passkey.id }, { name });
  tell("passkey.updated", passkey, origin, context);
}

export type RemoveOutcome =
  /** `here`: whether the session in which it was removed goes on. */
  | { readonly type: "removed"; readonly here: "goes_on" | "ended" }
  /** Nothing else is left to sign in with. */
  | { readonly type: "last_way" };

/**
 * Removes a passkey and ends every session that it opened (PK-11). The session of `signedIn` goes on where
 * it rests on another proof as well; it holds that one alone from then on.
 */
export async function removePasskey(
  passkey: Passkey,
  { user, session }: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<RemoveOutcome> {
  const { store } = context;
  const removed = await store.transaction(async (tx) => {
    await tx.lock(userLock(user.id));
    const current = await tx.find("users", { id: user.id });
    if (current === undefined) return false;
    const { passkeys, ...others } = await store.enrolledMethods(current, tx);
    const left = { ...others, passkeys: passkeys.filter((id) => id !== passkey.id) };
    if (highestAcr(left) === undefined) return false;
    await tx.remove("passkeys", { id: passkey.id });
    return true;
  });
  if (!removed) return { type: "last_way" };

  const here = await store.endOpenedSessions(passkey.id, user.id, context.now(), session);
  tell("passkey.deleted", passkey, origin, context);
  return { type: "removed", here };
}

function tell(
  type: "passkey.updated" | "passkey.deleted",
  { id, user_id }: Passkey,
  origin: RequestOrigin,
  { report }: IdentityContext,
): void {
  const target = { table: "passkeys", id };
  report({ type, outcome: "success", actor: { kind: "user", id: user_id }, target, origin });
}
