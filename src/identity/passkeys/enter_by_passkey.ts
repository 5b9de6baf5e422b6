import { userLock } from "../../records/lock_names.ts";
import type { IdentityContext } from "../context.ts";
import { type Entered, type Entrance, enter } from "../enter.ts";
import type { PasskeyProof } from "./prove_passkey.ts";

/**
 * Begins the session of somebody who proved themselves with a passkey. Refused where the passkey is removed
 * at the same moment: of removal and session the later one sees the other (PK-11).
 */
export async function enterByPasskey(
  { user, passkey, method }: Extract<PasskeyProof, { type: "proved" }>,
  entrance: Omit<Entrance, "user" | "methods">,
  context: IdentityContext,
): Promise<Entered> {
  const { store, now } = context;
  const entered = await enter({ ...entrance, user, methods: [method] }, context);
  if (entered.type !== "signed_in") return entered;
  const { id } = entered.session;
  return store.transaction(async (tx): Promise<Entered> => {
    // A removal under way is over once the lock is ours.
    await tx.lock(userLock(user.id));
    const enrolled = await tx.find("passkeys", { id: passkey.id, user_id: user.id });
    if (enrolled !== undefined) return entered;
    await store.endSessionIn(tx, id, now());
    return { type: "refused" };
  });
}
