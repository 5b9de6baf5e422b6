/** The token of the "It was not me" link in emails about account changes (MF-12, SS-15). */
import type { User } from "../../records/definition/definition.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { IdentityContext } from "./context/context.ts";
import { makeProof, newProofToken } from "./proofs/proofs.ts";
import type { ProvedFactor } from "./proofs/purposes.ts";

/**
 * `since` is the start of the session that made the change, null if unknown; `factor` is the added factor.
 */
export interface DisownedAct {
  readonly user: Pick<User, "id" | "email">;
  readonly since: Date | null;
  readonly factor?: { readonly kind: ProvedFactor["kind"]; readonly id: string };
}

/**
 * Creates the link's token. It stays valid after events that end the user's other links, because an attacker
 * could cause them.
 */
export async function newDisownToken(
  { user, since, factor }: DisownedAct,
  context: IdentityContext,
  tx?: Transaction,
): Promise<string> {
  const token = newProofToken(context);
  const data = {
    user_id: user.id,
    since: since?.getTime() ?? null,
    factor: factor === undefined ? null : { kind: factor.kind, id: factor.id },
    email: user.email,
  };
  await makeProof("factor_undo", { place: token, bonds: {}, data }, context, tx);
  return token;
}
