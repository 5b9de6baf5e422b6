/** Sudo (SU-6): sensitive actions need a recent proof at the account's highest enrolled level. */

import { presetOf } from "../../../providers/presets/all_presets.ts";
import { provesFreshSignIn } from "../../../providers/presets/preset.ts";
import { factorKindsIn } from "../../../records/definition/factor_kinds.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import {
  acrLately,
  type EnrolledMethods,
  type EnrolledProvider,
  hasFirstFactor,
  highestAcr,
  isFirstKind,
  lately,
  type MethodKind,
  methodsOf,
  mfaAcr,
  phishingResistantAcr,
  reachesAcr,
  sudoAge,
  sudoProofs,
} from "../../../records/names/sign_in_methods.ts";

/** One kind from each list is still missing. */
export type MissingProofs = readonly (readonly MethodKind[])[];

/**
 * Returns the proofs that a session lacks for a sensitive action. With `mailbox_too`, a mailed code may
 * replace the provider; `passkeys_lost` requires two factors other than passkeys (MF-15).
 */
export function missingProofs(
  { session }: SignedIn,
  all: EnrolledMethods,
  now: Date,
  { mailbox_too = false, passkeys_lost = false } = {},
): MissingProofs {
  const methods = methodsOf(session);
  const when = lately(sudoAge, now);
  const enrolled = passkeys_lost ? { ...all, passkeys: [] } : all;
  const wanted = passkeys_lost ? mfaAcr : highestAcr(enrolled);
  if (wanted !== undefined && reachesAcr(acrLately(methods, when), wanted)) return [];
  if (wanted === phishingResistantAcr) return [["passkey"]];
  const fresh = sudoProofs(methods, when).map(({ kind }) => kind);
  const first = firstKinds(enrolled, mailbox_too);
  const has_first = fresh.some((kind) => isFirstKind(kind) || first.includes(kind));
  const second: readonly MethodKind[] = wanted === mfaAcr ? factorKindsIn(enrolled) : [];
  const has_second = second.length === 0 || fresh.some((kind) => second.includes(kind));
  return [...(has_first ? [] : [first]), ...(has_second ? [] : [second])];
}

/** Returns whether a user without the account's passkeys could give a first and a second factor (MF-15). */
export function canProveWithoutPasskeys(enrolled: EnrolledMethods): boolean {
  return hasFirstFactor(enrolled) && factorKindsIn({ ...enrolled, passkeys: [] }).length > 0;
}

function firstKinds({ password, providers }: EnrolledMethods, mailbox_too: boolean): readonly MethodKind[] {
  if (password) return ["password"];
  if (!providers.some(reauthenticates)) return ["mail_code"];
  return mailbox_too ? ["provider", "mail_code"] : ["provider"];
}

/**
 * Returns whether this provider can reauthenticate a user and prove that it did. Providers of organizations
 * never count.
 */
export function reauthenticates(provider: Pick<EnrolledProvider, "preset" | "of_organization">): boolean {
  return !provider.of_organization && provesFreshSignIn(presetOf(provider));
}
