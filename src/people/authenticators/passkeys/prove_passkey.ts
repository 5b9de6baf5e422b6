import { challengeIn } from "../../../crypto/passkey_answer.ts";
import { type ChallengeUse, readChallenge } from "../../../crypto/passkey_challenge.ts";
import { isPasskeyRefusal, type PasskeyError } from "../../../crypto/passkey_refusals.ts";
import { type Assertion, readAssertion, verifyAssertion } from "../../../crypto/passkeys.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { isActive } from "../../../records/names/liveness.ts";
import type { SignInMethod } from "../../../records/names/sign_in_methods.ts";
import type { Verbs } from "../../../storage/database/verbs.ts";
import { noteUseOfPasskey } from "../../core/cancel_by_use.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { isPendingDeletion } from "../../core/undo_deletion.ts";
import type { Passkey } from "./own_passkeys.ts";
import type { PasskeySite } from "./passkey_site.ts";
import { isFirstUse } from "./register_passkey.ts";

export interface PasskeyAnswer {
  readonly answer: string;
  readonly purpose: Exclude<ChallengeUse["purpose"], "register" | "register_key" | "new_account" | "upgrade">;
  readonly holder: string;
  readonly user?: Pick<User, "id"> | undefined;
  readonly origin: RequestOrigin;
}

export type ProofError =
  | PasskeyError
  | "unknown"
  /** The passkey belongs to another user, or the answer contains another user handle (PK-1). */
  | "foreign"
  /** The account is not active. If only its pending deletion is the reason, the proof has `by` (SS-12). */
  | "inactive"
  /** The passkey may serve only as a second factor, and the first factor is missing (PK-6). */
  | "second_factor_only"
  /** The signature counter went back, so the passkey may have been copied (PK-5). */
  | "counter";

export type PasskeyProof =
  | {
      readonly type: "proved";
      readonly user: User;
      readonly passkey: Passkey;
      readonly method: SignInMethod;
    }
  | { readonly type: "expired" }
  | {
      readonly type: "refused";
      readonly error: ProofError;
      readonly credential_id?: string;
      readonly by?: { readonly user: User; readonly passkey: Passkey };
    };

/**
 * Verifies an authenticator's answer (PK-1, PK-3 to PK-7). Writes nothing before the signature is verified,
 * so that callers without a passkey create no rows.
 */
export async function provePasskey(
  input: PasskeyAnswer,
  site: PasskeySite,
  context: IdentityContext,
): Promise<PasskeyProof> {
  const { purpose, holder, answer, origin } = input;
  const challenge = challengeIn(answer) ?? "";
  const read = readChallenge(challenge, { purpose, holder }, context.sealer, context.now());
  if (read === undefined) return { type: "refused", error: "challenge" };
  if (read === "expired") return { type: "expired" };
  const assertion = readAssertion(answer);
  if (isPasskeyRefusal(assertion)) return { type: "refused", error: assertion.refused };
  const found = await findOwner(assertion, input, site, context);
  if ("error" in found) return { type: "refused", ...found };
  const { user, passkey } = found;

  const signs_in = purpose === "sign_in";
  const verified = await verifyAssertion(
    assertion,
    { challenge, origins: [site.origin], rp_id: site.rp_id, require_uv: signs_in },
    passkey,
  );
  const target = { table: "passkeys", id: passkey.id } as const;
  const refused = (error: ProofError): PasskeyProof => {
    const actor = { kind: "user", id: user.id } as const;
    const details = { fault: error, purpose };
    context.report({ type: "passkey.refused", outcome: "failure", actor, target, origin, details });
    return { type: "refused", error, by: found };
  };
  if (isPasskeyRefusal(verified)) {
    const { refused: error } = verified;
    // Of the errors of the verification, only this one is reported as an event. It occurs only with a valid
    // signature, whereas anyone could cause the others.
    return error === "backup_eligible_changed" ? refused(error) : { type: "refused", error };
  }
  if (!(await isFirstUse(read, context))) return { type: "expired" };
  if (verified.counter_went_back) return refused("counter");
  if (signs_in && !(passkey.signs_in && passkey.uv_initialized)) {
    return { type: "refused", error: "second_factor_only", by: found };
  }
  const { counter, backed_up, user_verified } = verified;
  // User verification that was missing at creation counts only after it happened once at a second factor
  // (PK-6).
  const uv_initialized = passkey.uv_initialized || (purpose === "second_factor" && user_verified);
  const last_used_at = context.now();
  const used = { counter, backed_up, uv_initialized, last_used_at };
  const method: SignInMethod = {
    kind: "passkey",
    credential: passkey.id,
    at: last_used_at.getTime(),
    uv: user_verified && passkey.uv_initialized,
  };
  const note = async (writes: Pick<Verbs, "update">) =>
    (await writes.update("passkeys", { id: passkey.id, counter: passkey.counter }, used)) > 0;
  // A concurrent use, possibly of a copy of the passkey, changes the counter.
  if (!(await noteUseOfPasskey({ user, method, origin, note }, context))) return { type: "expired" };
  if (!isActive(user)) return { type: "refused", error: "inactive", by: found };
  return { type: "proved", user, passkey: { ...passkey, ...used }, method };
}

async function findOwner(
  { credential_id, user_handle }: Assertion,
  { user: requested, purpose }: PasskeyAnswer,
  { rp_id }: PasskeySite,
  { store, now }: IdentityContext,
): Promise<{ user: User; passkey: Passkey } | { error: ProofError; credential_id?: string }> {
  const passkey = await store.find("passkeys", { credential_id, rp_id });
  if (passkey === undefined) return { error: "unknown", credential_id };
  const user = await store.find("users", { id: passkey.user_id });
  const handle = user?.webauthn_handle?.toString("base64url");
  if (requested !== undefined && requested.id !== passkey.user_id) return { error: "foreign" };
  // A sign-in request lists no passkeys, and the authenticator then always returns the user handle (WebAuthn
  // 7.2, step 6).
  const is_named = user_handle !== undefined || purpose === "sign_in";
  if (is_named && user_handle !== handle) return { error: "foreign" };
  if (user === undefined) return { error: "inactive" };
  const may_keep = purpose === "sign_in" && isPendingDeletion(user, now());
  return isActive(user) || may_keep ? { user, passkey } : { error: "inactive" };
}
