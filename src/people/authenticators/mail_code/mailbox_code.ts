/**
 * Protects the enrollment of a user's first second factor (MF-12). A stolen password alone therefore cannot
 * lock the user out.
 */
import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import { hasSecondFactor, methodsOf, type SignInMethod } from "../../../records/names/sign_in_methods.ts";
import { beganHere, isLongKnown, knownAfter, longKnownFrom } from "../../core/browser_marks.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { storeMailedCode, tryMailedCode } from "../../core/proofs/mailed_codes.ts";
import { openProof, redeemProof } from "../../core/proofs/proofs.ts";
import { countMailRequest } from "../../core/throttle.ts";

const whereIs = ({ session: { id } }: Pick<SignedIn, "session">) => ({ place: id, bonds: { session: id } });

/**
 * Returns whether this session needs a mailed code before it adds the first second factor. On a server
 * without email, true means that the session has to wait instead.
 */
export async function needsMailbox(
  { user, session }: SignedIn,
  browser_marks: string | undefined,
  context: IdentityContext,
): Promise<boolean> {
  if (methodsOf(session).some(({ kind }) => kind === "mail_code")) return false;
  const factors = await context.store.secondFactorsOf(user.id);
  if (hasSecondFactor({ ...factors, password: false, recovery_codes: 0, providers: [] })) return false;
  if (isLongKnown(browser_marks, user, context)) return false;
  return context.sends_mail || !(await beganHere(browser_marks, user, context));
}

export interface FactorWait {
  /** Undefined if the user has to sign in again in this browser first. */
  readonly until: Date | undefined;
  /** How long the user must have used the browser, in milliseconds. */
  readonly known_after: number;
}

/** Returns the wait that replaces the mailed code on a server without email. */
export function waitInBrowser(
  { user }: SignedIn,
  browser_marks: string | undefined,
  context: IdentityContext,
): FactorWait {
  return { until: longKnownFrom(browser_marks, user, context), known_after: knownAfter };
}

/**
 * Returns the wait before the first second factor can be added; undefined if there is none, or a mailed code
 * replaces it.
 */
export async function factorWait(
  signedIn: SignedIn,
  browser_marks: string | undefined,
  context: IdentityContext,
): Promise<FactorWait | undefined> {
  if (context.sends_mail || !(await needsMailbox(signedIn, browser_marks, context))) return undefined;
  return waitInBrowser(signedIn, browser_marks, context);
}

/** Returns a new, formatted code for the user's mailbox; undefined after too many requests. */
export async function newMailboxCode(
  { user, session }: SignedIn,
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  context: IdentityContext,
): Promise<string | undefined> {
  const guess = { account: user, client_ip };
  if ((await countMailRequest("mailbox of a first factor", guess, context)) !== undefined) return undefined;
  return storeMailedCode("mailbox_code", { ...whereIs({ session }), user, data: {} }, context);
}

export async function hasMailboxCode(signedIn: SignedIn, context: IdentityContext): Promise<boolean> {
  const { place, bonds } = whereIs(signedIn);
  return (await openProof("mailbox_code", place, bonds, context)) !== undefined;
}

/** Checks and consumes the mailed code. Returns `ended` if the code is too old or had too many attempts. */
export async function proveMailboxCode(
  signedIn: SignedIn,
  text: string,
  context: IdentityContext,
): Promise<SignInMethod | "wrong" | "ended"> {
  const tried = await tryMailedCode("mailbox_code", { ...whereIs(signedIn), text }, context);
  if (tried.type === "wrong") return tried.last ? "ended" : "wrong";
  if (tried.type === "ended" || !(await redeemProof(context.store, tried.proof))) return "ended";
  return { kind: "mail_code", credential: null, at: context.now().getTime() };
}
