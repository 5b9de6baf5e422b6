import type { IdentityContext } from "../context.ts";
import { type Entered, type Entrance, enter } from "../enter.ts";
import { ownPasskey } from "./own_passkeys.ts";
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
  const entered = await enter({ ...entrance, user, methods: [method] }, context);
  if (entered.type !== "signed_in" || (await ownPasskey(user, passkey.id, context))) return entered;
  await context.store.endSession(entered.session.id, context.now());
  return { type: "refused" };
}
