/** The code of a registration: in the browser that asked it is worth the link of the same mail. */
import { equalBytes } from "../../crypto/credentials.ts";
import { readMailCode } from "../../crypto/mail_codes.ts";
import type { IdentityContext } from "../context.ts";
import { changeProof, makeProof, newProofToken, openProof, spendProof } from "../proofs/proofs.ts";

/** Wrong codes that end a registration's code; the link goes on working. */
const mostWrong = 5;

export type CodeOutcome =
  /** The token of a link, as the mailed one. */
  | { readonly type: "right"; readonly token: string }
  | { readonly type: "wrong" }
  /** It was the last try, or there is no code for this browser. */
  | { readonly type: "ended" };

/**
 * Exchanges the code of this browser for a link, once. A try is counted before it is looked at, so that
 * parallel ones cannot pass.
 */
export async function redeemRegistrationCode(
  { code, browser }: { readonly code: string; readonly browser: string | undefined },
  context: IdentityContext,
): Promise<CodeOutcome> {
  if (browser === undefined) return { type: "ended" };
  const proof = await openProof("registration_code", browser, { browser }, context);
  if (proof === undefined) return { type: "ended" };
  const { code: mailed, wrong, ...data } = proof.data;
  const counted = await changeProof(proof, { ...proof.data, wrong: wrong + 1 }, context);
  // Another try was counted at the same moment: this one is not looked at.
  if (counted === undefined) return { type: "wrong" };
  if (!data.may_register || !equalBytes(mailed, readMailCode(code))) {
    if (wrong + 1 < mostWrong) return { type: "wrong" };
    await spendProof(context.store, counted);
    return { type: "ended" };
  }
  if (!(await spendProof(context.store, counted))) return { type: "ended" };
  const token = newProofToken(context);
  await makeProof("registration", { place: token, bonds: {}, data }, context);
  return { type: "right", token };
}
