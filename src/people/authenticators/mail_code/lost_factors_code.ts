/**
 * The one-time mailed code that replaces second factors removed by an administrator or a recovery (MF-10).
 */
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { FactorProof } from "../../core/factor_proof.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";
import { storeMailedCode, tryMailedCode } from "../../core/proofs/mailed_codes.ts";
import { openProof, redeemProof } from "../../core/proofs/proofs.ts";
import { countMailRequest } from "../../core/throttle.ts";

function whereIs({ proof, methods }: HalfSignIn) {
  const { browser } = proof.sealed.bonds;
  return { place: `${browser} ${methods[0]?.at ?? 0}`, bonds: { browser } };
}

type LostFactorsCode =
  | { readonly type: "made"; readonly code: string }
  | { readonly type: "waits" }
  | { readonly type: "throttled" };

/** Creates the code of a half sign-in; `waits` if an earlier code has not expired. */
export async function makeLostFactorsCode(
  half: HalfSignIn,
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  context: IdentityContext,
): Promise<LostFactorsCode> {
  const { place, bonds } = whereIs(half);
  if ((await openProof("lost_factors", place, bonds, context)) !== undefined) return { type: "waits" };
  const retry_after = await countMailRequest("lost factors", { account: half.user, client_ip }, context);
  if (retry_after !== undefined) return { type: "throttled" };
  const made = { place, user: half.user, bonds, data: {} };
  return { type: "made", code: await storeMailedCode("lost_factors", made, context) };
}

/** Returns a proof if this is the mailed code. The caller has already counted the attempt for the account. */
export async function proveLostFactorsCode(
  half: HalfSignIn,
  text: string,
  context: IdentityContext,
): Promise<FactorProof> {
  const input = { ...whereIs(half), text, user_id: half.user.id };
  const tried = await tryMailedCode("lost_factors", input, context);
  if (tried.type === "ended") return { type: "expired" };
  if (tried.type === "wrong") return { type: "wrong" };
  return {
    type: "proved",
    method: { kind: "mail_code", credential: null, at: context.now().getTime() },
    commitProof: (tx) => redeemProof(tx, tried.proof),
  };
}
