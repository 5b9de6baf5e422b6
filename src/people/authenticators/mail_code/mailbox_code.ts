/**
 * The first second factor is added from a device that the user has used for a day, or with a code from the
 * user's mailbox (MF-12). A stolen password alone cannot lock the user out.
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
 * Whether the mailbox is to be proved in this session before a second factor is added. Where no mail can be
 * sent, the browser in which a young account was first used needs none: no earlier owner loses anything.
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

/** A browser that is too new to add a first second factor on a server without mail. */
export interface FactorWait {
  /** From when on it may; undefined if the user is not known in it before they sign in once more. */
  readonly until: Date | undefined;
  /** How long the user is to be known in it, milliseconds. */
  readonly known_after: number;
}

/** The wait of a browser in which a mailbox is to be proved and cannot be. */
export function waitInBrowser(
  { user }: SignedIn,
  browser_marks: string | undefined,
  context: IdentityContext,
): FactorWait {
  return { until: longKnownFrom(browser_marks, user, context), known_after: knownAfter };
}

/** The same before a second factor is added; undefined if there is no wait. */
export async function factorWait(
  signedIn: SignedIn,
  browser_marks: string | undefined,
  context: IdentityContext,
): Promise<FactorWait | undefined> {
  if (context.sends_mail || !(await needsMailbox(signedIn, browser_marks, context))) return undefined;
  return waitInBrowser(signedIn, browser_marks, context);
}

/**
 * A new code for the user's mailbox in readable form, replacing an earlier one; undefined after too many
 * requests.
 */
export async function newMailboxCode(
  { user, session }: SignedIn,
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  context: IdentityContext,
): Promise<string | undefined> {
  const guess = { account: user, client_ip };
  if ((await countMailRequest("mailbox of a first factor", guess, context)) !== undefined) return undefined;
  return storeMailedCode("mailbox_code", { ...whereIs({ session }), user, data: {} }, context);
}

/** Whether a code waits in this session. */
export async function hasMailboxCode(signedIn: SignedIn, context: IdentityContext): Promise<boolean> {
  const { place, bonds } = whereIs(signedIn);
  return (await openProof("mailbox_code", place, bonds, context)) !== undefined;
}

/** Takes the code of the mail; `ended` when it is too old or was tried too often. */
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
