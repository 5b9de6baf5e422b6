/** The code by mail before a recovery of lost second factors begins to wait (MF-10). */
import { equalBytes } from "../../crypto/credentials.ts";
import { mailCodeText, newMailCode, readMailCode } from "../../crypto/mail_codes.ts";
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { IdentityContext } from "../context.ts";
import type { HalfSignIn } from "../half_sign_in.ts";
import { changeProof, makeProof, openProof, spendProof } from "../proofs/proofs.ts";
import { countMailRequest } from "../throttle.ts";

/** Tries at one code. */
const mostTries = 5;

const whereIs = ({ proof }: HalfSignIn) => {
  const { browser } = proof.sealed.bonds;
  return { place: browser, bonds: { browser } };
};

/** A code to mail to the user, as people read it; undefined where too many were asked for. */
export async function askRecoveryMailbox(
  half: HalfSignIn,
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  context: IdentityContext,
): Promise<string | undefined> {
  const { user } = half;
  const guess = { email_key: user.email_key, client_ip };
  if ((await countMailRequest("recovery", guess, context)) !== undefined) return undefined;
  const code = newMailCode();
  await makeProof("recovery_mailbox", { ...whereIs(half), user, data: { code, tried: 0 } }, context);
  return mailCodeText(code);
}

/** Whether this is the code that was mailed. Each try is counted first, and the code is good once. */
export async function proveRecoveryMailbox(
  half: HalfSignIn,
  text: string,
  context: IdentityContext,
): Promise<"right" | "wrong" | "expired"> {
  const { place, bonds } = whereIs(half);
  const proof = await openProof("recovery_mailbox", place, bonds, context);
  if (proof === undefined || proof.user?.id !== half.user.id || proof.data.tried >= mostTries)
    return "expired";
  const { code, tried } = proof.data;
  const counted = await changeProof(proof, { code, tried: tried + 1 }, context);
  if (counted === undefined || !equalBytes(readMailCode(text), code)) return "wrong";
  return (await spendProof(context.store, counted)) ? "right" : "wrong";
}
