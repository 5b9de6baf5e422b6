/**
 * Sudo (SU-6): what is sensitive takes a proof of the last minutes at the highest level that the account has
 * enrolled for. Says which proofs are missing; `http/sudo/` asks for them.
 */
import { presetOf } from "../providers/presets/all_presets.ts";
import type { SignedIn } from "../records/request_origin.ts";
import {
  acrSince,
  type EnrolledMethods,
  highestAcr,
  type MethodKind,
  methodsOf,
  mfaAcr,
  phishingResistantAcr,
  reachesAcr,
  type SignInMethod,
  sudoAge,
} from "../records/sign_in_methods.ts";

/** What a person still has to prove: one kind of each list. Empty where all is fresh. */
export type MissingProofs = readonly (readonly MethodKind[])[];

/** The proofs that a session lacks for what is sensitive. */
export function missingProofs({ session }: SignedIn, enrolled: EnrolledMethods, now: Date): MissingProofs {
  return missingOf(methodsOf(session), enrolled, now);
}

function missingOf(methods: readonly SignInMethod[], enrolled: EnrolledMethods, now: Date): MissingProofs {
  const since = new Date(now.getTime() - sudoAge);
  const wanted = highestAcr(enrolled);
  if (wanted !== undefined && reachesAcr(acrSince(methods, since), wanted)) return [];
  if (wanted === phishingResistantAcr) return [["passkey"]];
  const fresh = methods.filter(({ at }) => at >= since.getTime()).map(({ kind }) => kind);
  const first = firstKinds(enrolled);
  const has_first = fresh.some((kind) => kind === "password" || kind === "provider" || first.includes(kind));
  const second = wanted === mfaAcr ? secondKinds(enrolled) : [];
  const has_second = second.length === 0 || fresh.some((kind) => second.includes(kind));
  return [...(has_first ? [] : [first]), ...(has_second ? [] : [second])];
}

/** The kinds that prove the person in the first place. */
function firstKinds({ password, providers }: EnrolledMethods): readonly MethodKind[] {
  const asks_anew = providers.some((provider) => presetOf(provider).honours.prompts.includes("login"));
  const kinds: MethodKind[] = [...(password ? ["password" as const] : [])];
  if (asks_anew) kinds.push("provider");
  // A provider that lets people through unasked proves nothing now; the mailbox stands in for it.
  return kinds.length > 0 ? kinds : ["mail_code"];
}

function secondKinds({ security_keys, totp, recovery_codes }: EnrolledMethods): readonly MethodKind[] {
  const kinds: MethodKind[] = [];
  if (security_keys.length > 0) kinds.push("passkey");
  if (totp.length > 0) kinds.push("totp");
  if (recovery_codes > 0) kinds.push("recovery_code");
  return kinds;
}
