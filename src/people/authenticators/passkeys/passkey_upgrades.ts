/**
 * The browser creates a passkey automatically after a password sign-in, if the user agreed in that browser
 * (PK-13). It is never the account's first second factor, because that one comes with recovery codes for the
 * user to store.
 */
import type { User } from "../../../records/definition/definition.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import { hasSecondFactor, methodsOf } from "../../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { missingProofs } from "../../core/sudo/sudo.ts";

const textOf = ({ id }: Pick<User, "id">) => JSON.stringify(["passkey upgrade", id]);

/** Returns the cookie value that records this user's consent to automatic passkeys. */
export function upgradeConsent(user: Pick<User, "id">, { sealer }: IdentityContext): string {
  return sealer.mac("cookie", textOf(user));
}

export function agreedToUpgrades(
  user: Pick<User, "id">,
  kept: string | undefined,
  { sealer }: IdentityContext,
): boolean {
  return kept !== undefined && sealer.macIs("cookie", textOf(user), kept);
}

/** Returns whether a passkey may be added automatically, without new recovery codes for the user to store. */
export async function mayUpgrade(user: User, { store }: IdentityContext): Promise<boolean> {
  const enrolled = await store.enrolledMethods(user);
  return enrolled.password && hasSecondFactor(enrolled) && enrolled.recovery_codes > 0;
}

/**
 * Returns whether the browser may now add a passkey automatically. The session's recent proofs must suffice
 * for a sensitive action (sudo).
 */
export async function upgradesNow(signedIn: SignedIn, context: IdentityContext): Promise<boolean> {
  const { user, session } = signedIn;
  if (!methodsOf(session).some(({ kind }) => kind === "password")) return false;
  if (!(await mayUpgrade(user, context))) return false;
  const enrolled = await context.store.enrolledMethods(user);
  return missingProofs(signedIn, enrolled, context.now()).length === 0;
}
