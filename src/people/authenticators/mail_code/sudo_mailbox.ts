/**
 * The mailbox of an account replaces a provider that cannot reauthenticate its users (SU-6). It does so only
 * in a browser that the user has used for a day, because an attacker may have just got in. The browser in
 * which a new account was first used need not wait for that.
 */
import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import { beganHere, isLongKnown } from "../../core/browser_marks.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { FactorProof } from "../../core/factor_proof.ts";
import { isCodeWaiting, storeMailedCode, tryMailedCode } from "../../core/proofs/mailed_codes.ts";
import { redeemProof } from "../../core/proofs/proofs.ts";
import { countMailRequest } from "../../core/throttle.ts";

const whereIs = ({ session: { id } }: Pick<SignedIn, "session">) => ({ place: id, bonds: { session: id } });

/** Whether the mailbox counts for the user in a browser with these marks. */
export async function mayProveMailbox(
  { user }: SignedIn,
  browser_marks: string | undefined,
  context: Pick<IdentityContext, "sealer" | "now" | "store">,
): Promise<boolean> {
  return isLongKnown(browser_marks, user, context) || beganHere(browser_marks, user, context);
}

/** Whether a code is on its way to the mailbox. */
export function isMailboxChallenged(signedIn: SignedIn, context: IdentityContext): Promise<boolean> {
  return isCodeWaiting("sudo_mailbox", whereIs(signedIn), context);
}

/** Creates a readable code for the user's mailbox; undefined after too many requests. */
export async function challengeMailbox(
  { session, user }: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<string | undefined> {
  const guess = { account: user, client_ip: origin.client_ip };
  if ((await countMailRequest("mailbox of sudo", guess, context)) !== undefined) return undefined;
  return storeMailedCode("sudo_mailbox", { ...whereIs({ session }), user, data: {} }, context);
}

/** Whether this is the code that was sent to the mailbox; `spend` of the answer uses it up. */
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
