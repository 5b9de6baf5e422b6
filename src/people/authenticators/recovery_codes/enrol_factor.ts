/**
 * The last step of adding a second factor. If the user lacks recovery codes, the factor stays pending until
 * the user confirms that new ones are stored (MF-7).
 */

import type { RequestOrigin, SignedIn } from "../../../records/definition/request_origin.ts";
import { userLock } from "../../../records/names/lock_names.ts";
import { hasFirstFactor } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { EnrolledFactor, StoreError, StoreFactor } from "../../core/enrolled_factor.ts";
import { dropProof, makeProof, openProof, redeemProof } from "../../core/proofs/proofs.ts";
import type { HashedRecoveryCode, ProvedFactor } from "../../core/proofs/purposes.ts";
import { makeRecoveryCodes, replaceRecoveryCodes } from "./recovery_codes.ts";

export interface Enrolled {
  readonly factor: EnrolledFactor | undefined;
  readonly codes: boolean;
}

/** Queues the notice in the transaction that stores the factor. */
export type NotifyEnrolled = (tx: Transaction, enrolled: Enrolled) => Promise<void>;

export interface Enrolling {
  readonly origin: RequestOrigin;
  readonly store: StoreFactor;
  readonly notify?: NotifyEnrolled | undefined;
}

export type FactorEnrolment =
  | { readonly type: "enrolled"; readonly enrolled: Enrolled }
  | { readonly type: "confirm"; readonly codes: readonly string[] }
  | { readonly type: "refused"; readonly error: StoreError }
  | { readonly type: "gone" };

/**
 * Stores a factor, or, if the user lacks recovery codes, keeps it pending until the user confirms new ones.
 * Returns `gone` if the proof was already used or the session has ended. Throws an OverloadedError if too
 * many hashes are waiting.
 */
export async function enrolFactor(
  signedIn: SignedIn,
  factor: ProvedFactor,
  {
    origin,
    store: storeFactor,
    commitProof,
    notify,
  }: Enrolling & { readonly commitProof: (tx: RemovesProof) => Promise<boolean> },
  context: IdentityContext,
): Promise<FactorEnrolment> {
  const { store, now } = context;
  const { user } = signedIn;
  if (await lacksRecoveryCodes(signedIn, context)) {
    const made = await makeRecoveryCodes(user, context);
    // The proof is consumed before the codes are stored, so that only one of two concurrent forms returns
    // codes.
    if (!(await commitProof(store))) return { type: "gone" };
    await keepShown(signedIn, made.hashed, factor, context);
    return { type: "confirm", codes: made.shown };
  }
  return store.transaction(async (tx): Promise<FactorEnrolment> => {
    await tx.lock(userLock(user.id));
    if ((await store.wasShutOut(tx, signedIn.session, now())) || !(await commitProof(tx)))
      return { type: "gone" };
    const stored = await storeFactor(tx, user, factor, origin, context);
    if ("error" in stored) return { type: "refused", error: stored.error };
    const enrolled = { factor: stored, codes: false };
    await notify?.(tx, enrolled);
    return { type: "enrolled", enrolled };
  });
}

type RemovesProof = Pick<Transaction, "remove">;

/** Recovery codes replace a second factor, so an account that has only passkeys does not need them. */
async function lacksRecoveryCodes({ user }: SignedIn, { store }: IdentityContext): Promise<boolean> {
  const enrolled = await store.enrolledMethods(user);
  return enrolled.recovery_codes === 0 && hasFirstFactor(enrolled);
}

const bindingOf = ({ session }: SignedIn) => ({ place: session.id, bonds: { session: session.id } });

/**
 * Returns new recovery codes, which are shown once. Until this session confirms them, the previous set stays
 * valid. Throws an OverloadedError if too many hashes are waiting.
 */
export async function showRecoveryCodes(
  signedIn: SignedIn,
  factor: ProvedFactor | null,
  context: IdentityContext,
): Promise<readonly string[]> {
  const { shown, hashed } = await makeRecoveryCodes(signedIn.user, context);
  await keepShown(signedIn, hashed, factor, context);
  return shown;
}

async function keepShown(
  signedIn: SignedIn,
  codes: readonly HashedRecoveryCode[],
  factor: ProvedFactor | null,
  context: IdentityContext,
): Promise<void> {
  const { user } = signedIn;
  await makeProof("recovery_codes", { ...bindingOf(signedIn), user, data: { codes, factor } }, context);
}

const shownIn = (signedIn: SignedIn, context: IdentityContext) => {
  const { place, bonds } = bindingOf(signedIn);
  return openProof("recovery_codes", place, bonds, context);
};

/**
 * Returns the factor that is pending until this session confirms the new recovery codes, and when it expires.
 */
export async function waitingFactor(
  signedIn: SignedIn,
  context: IdentityContext,
): Promise<{ readonly factor: ProvedFactor; readonly until: Date } | undefined> {
  const shown = await shownIn(signedIn, context);
  const factor = shown?.data.factor ?? null;
  return shown && factor !== null ? { factor, until: shown.expires_at } : undefined;
}

export const nameOfFactor = (factor: ProvedFactor): string =>
  factor.kind === "totp" ? factor.app.name : factor.passkey.name;

/** Deletes recovery codes that the user did not confirm, and the pending factor. */
export function dropShownCodes({ session }: SignedIn, context: IdentityContext): Promise<void> {
  return dropProof("recovery_codes", session.id, context);
}

/**
 * Stores the codes that this session showed, and the factor that is pending with them. Returns `gone` if no
 * codes were shown, they have expired, or the session has ended.
 */
export async function confirmRecoveryCodes(
  signedIn: SignedIn,
  { origin, store: storeFactor, notify }: Enrolling,
  context: IdentityContext,
): Promise<Enrolled | "gone" | StoreError> {
  const { store, now } = context;
  const { user } = signedIn;
  const proof = await shownIn(signedIn, context);
  if (proof === undefined) return "gone";
  const { factor, codes } = proof.data;
  return store.transaction(async (tx) => {
    await tx.lock(userLock(user.id));
    if ((await store.wasShutOut(tx, signedIn.session, now())) || !(await redeemProof(tx, proof)))
      return "gone";
    const stored = factor === null ? undefined : await storeFactor(tx, user, factor, origin, context);
    if (stored !== undefined && "error" in stored) return stored.error;
    await replaceRecoveryCodes(tx, user, codes, { origin, at: now() }, context);
    const enrolled = { factor: stored, codes: true };
    await notify?.(tx, enrolled);
    return enrolled;
  });
}
