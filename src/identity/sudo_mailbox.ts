/**
 * The mailbox of an account stands in for a provider that asks nobody anew (SU-6). It does so in a browser
 * where the user has been known for a day: a thief who has just come in is asked for more. The browser in
 * which the account was made need not wait for that.
 */
import { equalBytes } from "../crypto/credentials.ts";
import { mailCodeText, newMailCode, readMailCode } from "../crypto/mail_codes.ts";
import type { RequestOrigin, SignedIn } from "../records/request_origin.ts";
import type { SignInMethod } from "../records/sign_in_methods.ts";
import { knownInBrowserSince } from "./browser_marks.ts";
import type { IdentityContext } from "./context.ts";
import { changeProof, makeProof, openProof, spendProof } from "./proofs/proofs.ts";
import type { Spend } from "./sessions.ts";
import { countMailRequest } from "./throttle.ts";

const day = 86_400_000;
/** Milliseconds from the making of an account to its first mark in the same browser, at most. */
const sameMoment = 60_000;
/** Wrong codes that end a code. */
const mostWrong = 5;

/** Whether the user is known long enough in the browser with these marks. */
export function mayProveMailbox(
  { user }: SignedIn,
  browser_marks: string | undefined,
  context: Pick<IdentityContext, "sealer" | "now">,
): boolean {
  const since = knownInBrowserSince(browser_marks, user, context);
  if (since === undefined) return false;
  if (Math.abs(since.getTime() - user.created_at.getTime()) <= sameMoment) return true;
  return context.now().getTime() - since.getTime() > day;
}

/** Whether a code is on its way to the mailbox. */
export async function isMailboxAsked({ session }: SignedIn, context: IdentityContext): Promise<boolean> {
  const proof = await openProof("sudo_mailbox", session.id, { session: session.id }, context);
  return proof !== undefined && proof.data.wrong < mostWrong;
}

/** Makes a code for the user's mailbox, as people read it; undefined where too many were asked for. */
export async function askMailbox(
  { session, user }: SignedIn,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<string | undefined> {
  const guess = { email_key: user.email_key, client_ip: origin.client_ip };
  if ((await countMailRequest("mailbox of sudo", guess, context)) !== undefined) return undefined;
  const code = newMailCode();
  const bonds = { session: session.id };
  await makeProof("sudo_mailbox", { place: session.id, user, bonds, data: { code, wrong: 0 } }, context);
  return mailCodeText(code);
}

/**
 * The proof of the mailbox, where this is the code that was sent there; `spend` uses the code up. Each try is
 * counted first.
 */
export async function proveMailbox(
  { session }: SignedIn,
  text: string,
  context: IdentityContext,
): Promise<{ readonly method: SignInMethod; readonly spend: Spend } | undefined> {
  const bonds = { session: session.id };
  const proof = await openProof("sudo_mailbox", session.id, bonds, context);
  if (proof === undefined || proof.data.wrong >= mostWrong) return undefined;
  const { code, wrong } = proof.data;
  // Of parallel tries one is looked at.
  const counted = await changeProof(proof, { code, wrong: wrong + 1 }, context);
  if (counted === undefined || !equalBytes(readMailCode(text), code)) return undefined;
  return {
    method: { kind: "mail_code", credential: null, at: context.now().getTime() },
    spend: (tx) => spendProof(tx, counted),
  };
}
