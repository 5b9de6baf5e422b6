/** The code by mail before a recovery of lost second factors begins to wait (MF-10). */
import type { RequestOrigin } from "../../records/request_origin.ts";
import type { IdentityContext } from "../context.ts";
import type { HalfSignIn } from "../half_sign_in.ts";
import { keepMailedCode, tryMailedCode } from "../proofs/mailed_codes.ts";
import { spendProof } from "../proofs/proofs.ts";
import { countMailRequest } from "../throttle.ts";

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
  return keepMailedCode("recovery_mailbox", { ...whereIs(half), user, data: {} }, context);
}

/** Whether this is the code that was mailed to the user of the half sign-in; it is good once. */
export async function proveRecoveryMailbox(
  half: HalfSignIn,
  text: string,
  context: IdentityContext,
): Promise<"right" | "wrong" | "expired"> {
  const given = { ...whereIs(half), text, user_id: half.user.id };
  const tried = await tryMailedCode("recovery_mailbox", given, context);
  if (tried.type === "ended") return "expired";
  return tried.type === "right" && (await spendProof(context.store, tried.proof)) ? "right" : "wrong";
}
