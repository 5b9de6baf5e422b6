/**
 * Lets users reauthenticate with a mailed code if their provider cannot reauthenticate them (SU-6). The user
 * must have used the browser for a day, which an attacker who has just signed in has not. Alternatively, a
 * new account must have been first used in the browser (`beganHere`).
 */
import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import { beganHere, isLongKnown } from "../../core/browser_marks.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { FactorProof } from "../../core/factor_proof.ts";
import { isCodeWaiting, storeMailedCode, tryMailedCode } from "../../core/proofs/mailed_codes.ts";
import { redeemProof } from "../../core/proofs/proofs.ts";
import { countMailRequest } from "../../core/throttle.ts";

const whereIs = ({ session: { id } }: Pick<SignedIn, "session">) => ({ place: id, bonds: { session: id } });

/** Returns whether a mailed code counts as a proof in this browser. */
export async function mayProveMailbox(
  { user }: SignedIn,
  browser_marks: string | undefined,
  context: Pick<IdentityContext, "sealer" | "now" | "store">,
): Promise<boolean> {
  return isLongKnown(browser_marks, user, context) || beganHere(browser_marks, user, context);
}

export function isMailboxChallenged(signedIn: SignedIn, context: IdentityContext): Promise<boolean> {
  return isCodeWaiting("sudo_mailbox", whereIs(signedIn), context);
}

/** Creates a formatted code for the user's mailbox; undefined after too many requests. */
export async function challengeMailbox(
  { session, user }: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<string | undefined> {
  const guess = { account: user, client_ip: origin.client_ip };
  if ((await countMailRequest("mailbox of sudo", guess, context)) !== undefined) return undefined;
  return storeMailedCode("sudo_mailbox", { ...whereIs({ session }), user, data: {} }, context);
}

/** Checks the mailed code. `commitProof` of the result consumes the code. */
export async function proveMailbox(
  signedIn: SignedIn,
  text: string,
  context: IdentityContext,
): Promise<FactorProof> {
  const tried = await tryMailedCode("sudo_mailbox", { ...whereIs(signedIn), text }, context);
  if (tried.type !== "right") return { type: "wrong" };
  return {
    type: "proved",
    method: { kind: "mail_code", credential: null, at: context.now().getTime() },
    commitProof: (tx) => redeemProof(tx, tried.proof),
  };
}
