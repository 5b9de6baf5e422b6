/** Users with authenticator apps and recovery codes. */
import { newTotpSecret } from "../../src/crypto/totp.ts";
import { makeRecoveryCodes } from "../../src/people/authenticators/recovery_codes/recovery_codes.ts";
import { findTotp } from "../../src/people/authenticators/totp/authenticator_apps.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import type { FactorProof } from "../../src/people/core/factor_proof.ts";
import type { User } from "../../src/records/definition/definition.ts";

/** Creates an unused authenticator app of a user; returns its id, and its secret in base32. */
export async function anAuthenticatorApp(
  { id: user_id }: Pick<User, "id">,
  { store, sealer, now }: IdentityContext,
  name = "Phone",
): Promise<{ id: string; secret: string }> {
  const id = store.newId(now());
  const secret = await newTotpSecret();
  await store.insert("totp_authenticators", {
    id,
    user_id,
    name,
    secret_sealed: sealer.seal("totp_authenticator", secret, id),
    last_step: 0,
    last_used_at: null,
    created_at: now(),
  });
  return { id, secret };
}

/** Returns the factor after using it up, as the session that it opens would. */
export async function spent<Proof extends FactorProof>(
  found: Proof,
  { store }: Pick<IdentityContext, "store">,
): Promise<Proof | { readonly type: "wrong" }> {
  const { commitProof } = found.type === "proved" ? found : {};
  if (commitProof === undefined) return found;
  return (await store.transaction(commitProof)) ? found : { type: "wrong" };
}

/** Proves a code of an authenticator app, and uses it up. */
export async function proveTotp(
  user: Pick<User, "id">,
  code: string,
  context: Pick<IdentityContext, "store" | "sealer" | "now">,
) {
  return spent(await findTotp(user, code, context), context);
}

/** Creates a set of recovery codes of a user, and returns them as shown. */
export async function someRecoveryCodes(
  user: Pick<User, "id">,
  { store, passwords, now }: IdentityContext,
): Promise<readonly string[]> {
  const { shown, hashed } = await makeRecoveryCodes(user, { passwords });
  for (const code of hashed) {
    const id = store.newId(now());
    await store.insert("recovery_codes", {
      id,
      user_id: user.id,
      ...code,
      used_at: null,
      created_at: now(),
    });
  }
  return shown;
}
