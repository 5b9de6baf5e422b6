import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { HalfSignIn } from "../../core/half_sign_in.ts";
import { isCodeWaiting, storeMailedCode, tryMailedCode } from "../../core/proofs/mailed_codes.ts";
import { redeemProof } from "../../core/proofs/proofs.ts";
import { countMailRequest } from "../../core/throttle.ts";

type Requested = HalfSignIn | SignedIn;

function whereIs(requested: Requested) {
  const browser = "session" in requested ? requested.session.id : requested.proof.sealed.bonds.browser;
  return { place: browser, bonds: { browser } };
}

/** Returns a formatted code to email to the user; undefined after too many requests. */
export async function challengeRecoveryMailbox(
  requested: Requested,
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  context: IdentityContext,
): Promise<string | undefined> {
  const { user } = requested;
  const guess = { account: user, client_ip };
  if ((await countMailRequest("recovery", guess, context)) !== undefined) return undefined;
  return storeMailedCode("recovery_mailbox", { ...whereIs(requested), user, data: {} }, context);
}

export function isRecoveryMailboxChallenged(
  requested: Requested,
  context: IdentityContext,
): Promise<boolean> {
  return isCodeWaiting("recovery_mailbox", whereIs(requested), context);
}

/**
 * Checks the code mailed to this user, which is valid once. Returns `expired` if it is too old or had too
 * many attempts.
 */
export async function proveRecoveryMailbox(
  requested: Requested,
  text: string,
  context: IdentityContext,
): Promise<"right" | "wrong" | "expired"> {
  const input = { ...whereIs(requested), text, user_id: requested.user.id };
  const tried = await tryMailedCode("recovery_mailbox", input, context);
  if (tried.type === "ended") return "expired";
  return tried.type === "right" && (await redeemProof(context.store, tried.proof)) ? "right" : "wrong";
}
