/** Prevents a new passkey, which an attacker may have added, from authorizing certain actions (PK-11). */
import type { User } from "../../../records/definition/definition.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import {
  acrLately,
  type EnrolledMethods,
  highestAcr,
  type Lately,
  methodsOf,
  reachesAcr,
} from "../../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { allPasskeysOf } from "./own_passkeys.ts";

/**
 * Minimum age in milliseconds of a passkey that authorizes removing a passkey or changing the email address.
 * The account's oldest passkey has no minimum age.
 */
export const youngFor = 86_400_000;

/** Returns the IDs of passkeys that are younger than `youngFor` and not the account's oldest. */
export async function youngPasskeys(
  user: Pick<User, "id">,
  context: Pick<IdentityContext, "store" | "now">,
): Promise<ReadonlySet<string>> {
  const [, ...later] = await allPasskeysOf(user, context);
  const young = later.filter(({ created_at }) => context.now().getTime() - created_at.getTime() < youngFor);
  return new Set(young.map(({ id }) => id));
}

/**
 * Returns whether the user's recent proofs reach the account's highest level, if young passkeys count for
 * neither.
 */
export async function isProvedByOlder(
  { user, session }: SignedIn,
  when: Lately,
  context: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  const young = await youngPasskeys(user, context);
  if (young.size === 0) return true;
  const isOlder = (id: string) => !young.has(id);
  const enrolled = await context.store.enrolledMethods(user);
  const older: EnrolledMethods = {
    ...enrolled,
    passkeys: enrolled.passkeys.filter(isOlder),
    security_keys: enrolled.security_keys.filter(isOlder),
  };
  const methods = methodsOf(session).filter(({ credential }) => credential === null || isOlder(credential));
  const wanted = highestAcr(older);
  return wanted !== undefined && reachesAcr(acrLately(methods, when), wanted);
}
