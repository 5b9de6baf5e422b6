/**
 * The first second factor is added from a device that the user has used for a day, or with a code from the
 * user's mailbox (MF-12): a stolen password alone shuts nobody out.
 */
import { equalBytes } from "../../crypto/credentials.ts";
import { mailCodeText, newMailCode, readMailCode } from "../../crypto/mail_codes.ts";
import type { SignedIn } from "../../records/request_origin.ts";
import { hasSecondFactor, methodsOf, type SignInMethod } from "../../records/sign_in_methods.ts";
import { knownInBrowserSince } from "../browser_marks.ts";
import type { IdentityContext } from "../context.ts";
import { changeProof, makeProof, openProof, spendProof } from "../proofs/proofs.ts";

const day = 86_400_000;
const hour = 3_600_000;
/** Codes that are mailed to one user within an hour. */
const mailsAnHour = 5;
/** Tries at one code. */
const mostTries = 5;

/** Whether the mailbox is to be proved in this session before a second factor is added. */
export async function needsMailbox(
  { user, session }: SignedIn,
  browser_marks: string | undefined,
  context: IdentityContext,
): Promise<boolean> {
  const { store, now } = context;
  if (methodsOf(session).some(({ kind }) => kind === "mail_code")) return false;
  const factors = await store.secondFactorsOf(user.id);
  if (hasSecondFactor({ ...factors, password: false, recovery_codes: 0, providers: [] })) return false;
  const since = knownInBrowserSince(browser_marks, user, context);
  return since === undefined || now().getTime() - since.getTime() < day;
}

/**
 * A new code for the user's mailbox as people read it, in place of one before; undefined where too many were
 * asked for.
 */
export async function newMailboxCode(
  { user, session }: SignedIn,
  context: IdentityContext,
): Promise<string | undefined> {
  const { store, sealer, now } = context;
  const at = now();
  const key = Buffer.from(sealer.mac("ephemera", JSON.stringify(["mailbox code", user.id])), "base64url");
  const count = await store.countUp("throttle", key, new Date(at.getTime() + hour), at);
  if (count > mailsAnHour) return undefined;
  const code = newMailCode();
  const bonds = { session: session.id };
  await makeProof("mailbox_code", { place: session.id, user, bonds, data: { code, tried: 0 } }, context);
  return mailCodeText(code);
}

/** Whether a code waits in this session. */
export async function hasMailboxCode({ session }: SignedIn, context: IdentityContext): Promise<boolean> {
  return (await openProof("mailbox_code", session.id, { session: session.id }, context)) !== undefined;
}

/** Takes the code of the mail; `ended` when it is too old or was tried too often. A try is counted first. */
export async function proveMailbox(
  { session }: SignedIn,
  text: string,
  context: IdentityContext,
): Promise<SignInMethod | "wrong" | "ended"> {
  const proof = await openProof("mailbox_code", session.id, { session: session.id }, context);
  if (proof === undefined || proof.data.tried >= mostTries) return "ended";
  const { code } = proof.data;
  const tried = proof.data.tried + 1;
  // Of parallel tries one is looked at.
  if (!(await changeProof(proof, { code, tried }, context))) return "wrong";
  if (!equalBytes(readMailCode(text), code)) return tried < mostTries ? "wrong" : "ended";
  const counted = await openProof("mailbox_code", session.id, { session: session.id }, context);
  if (counted === undefined || !(await spendProof(context.store, counted))) return "ended";
  return { kind: "mail_code", credential: null, at: context.now().getTime() };
}
