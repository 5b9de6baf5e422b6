import { challengeIn } from "../../../crypto/passkey_answer.ts";
import { type ChallengeUse, type ReadChallenge, readChallenge } from "../../../crypto/passkey_challenge.ts";
import { isPasskeyRefusal, type PasskeyError } from "../../../crypto/passkey_refusals.ts";
import { verifyRegistration } from "../../../crypto/passkeys.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { ProvedPasskey } from "../../core/proofs/purposes.ts";
import { followFactorChange } from "../recovery_codes/follow_factor_change.ts";
import { mostPasskeys, type Passkey } from "./own_passkeys.ts";
import type { PasskeyKind } from "./passkey_options.ts";
import type { PasskeySite } from "./passkey_site.ts";

interface NewPasskey {
  readonly kind: PasskeyKind;
  readonly name: string;
  readonly answer: string;
  readonly requested: ChallengeUse;
}

export type NewPasskeyProof =
  | { readonly type: "proved"; readonly passkey: ProvedPasskey }
  | { readonly type: "expired" }
  | { readonly type: "refused"; readonly error: PasskeyError };

export const registrationPurpose = { passkey: "register", security_key: "register_key" } as const;

/** Verifies an authenticator's answer to a challenge, which works once. Does not store the passkey. */
export async function proveNewPasskey(
  { kind, name, answer, requested }: NewPasskey,
  { rp_id, origin }: PasskeySite,
  context: IdentityContext,
): Promise<NewPasskeyProof> {
  const challenge = challengeIn(answer) ?? "";
  const read = readChallenge(challenge, requested, context.sealer, context.now());
  if (read === undefined) return { type: "refused", error: "challenge" };
  if (read === "expired") return { type: "expired" };
  const signs_in = kind === "passkey";
  const made = await verifyRegistration(answer, {
    challenge,
    origins: [origin],
    rp_id,
    // For an `upgrade`, the browser creates the passkey without user interaction (WebAuthn 5.1.3, PK-13).
    ...(requested.purpose === "upgrade"
      ? { require_uv: false, require_up: false }
      : { require_uv: signs_in }),
  });
  if (isPasskeyRefusal(made)) return { type: "refused", error: made.refused };
  if (!(await isFirstUse(read, context))) return { type: "expired" };
  const { user_verified: uv_initialized, transports, ...facts } = made;
  const passkey = { ...facts, transports: [...transports], name, rp_id, uv_initialized, signs_in };
  return { type: "proved", passkey };
}

type StoredPasskey =
  | { readonly passkey: Passkey; readonly method: SignInMethod }
  | { readonly error: "taken" | "too_many" };

/**
 * Stores a verified passkey, and forgets every remembered browser of the user. The caller holds the lock of
 * the user.
 */
export async function storePasskey(
  tx: Transaction,
  user: Pick<User, "id">,
  proved: ProvedPasskey,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<StoredPasskey> {
  const { credential_id, rp_id, uv_initialized, signs_in, name } = proved;
  const user_id = user.id;
  if ((await tx.count("passkeys", { user_id, rp_id })) >= mostPasskeys) return { error: "too_many" };
  if ((await tx.find("passkeys", { credential_id })) !== undefined) return { error: "taken" };
  const at = context.now();
  const id = context.store.newId(at);
  const passkey: Passkey = { ...proved, id, user_id, last_used_at: null, created_at: at };
  await tx.insert("passkeys", passkey);
  await followFactorChange(tx, user, context);
  await auditOwnAct(
    tx,
    context,
    { user, origin, at },
    { type: "passkey.created", target_table: "passkeys", target_id: id, details: { after: { name } } },
  );
  const method = {
    kind: "passkey",
    credential: id,
    at: at.getTime(),
    uv: uv_initialized && signs_in,
  } as const;
  return { passkey, method };
}

/** Marks a challenge as used; false if it was already used, in any process. */
export async function isFirstUse(
  { once_key, expires_at }: ReadChallenge,
  { store, now }: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  return store.useOnce("passkey_challenge", once_key, expires_at, now());
}
