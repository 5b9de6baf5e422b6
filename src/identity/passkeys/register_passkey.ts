/** Adds a passkey to a person's account, who gave a fresh proof for it before (PK-2, PK-11). */
import { challengeIn } from "../../crypto/passkey_answer.ts";
import { type ReadChallenge, readChallenge } from "../../crypto/passkey_challenge.ts";
import { isPasskeyRefusal, type PasskeyFault } from "../../crypto/passkey_refusals.ts";
import { verifyRegistration } from "../../crypto/passkeys.ts";
import type { RequestOrigin, SignedIn } from "../../records/request_origin.ts";
import type { IdentityContext } from "../context.ts";
import { mostPasskeys, type Passkey, passkeysOf } from "./own_passkeys.ts";
import type { PasskeyKind } from "./passkey_options.ts";
import type { PasskeySite } from "./passkey_site.ts";

export interface NewPasskey {
  readonly kind: PasskeyKind;
  /** What the person calls it; the caller has checked it against the definition. */
  readonly name: string;
  /** What the page posted. */
  readonly answer: string;
  readonly holder: string;
}

export type RegisterOutcome =
  | { readonly type: "registered"; readonly passkey: Passkey }
  /** The page is shown again with a new challenge. */
  | { readonly type: "expired" }
  | { readonly type: "refused"; readonly fault: PasskeyFault | "taken" | "too_many" };

/** The challenge of a registration. */
export const registrationPurpose = { passkey: "register", security_key: "register_key" } as const;

export async function registerPasskey(
  { kind, name, answer, holder }: NewPasskey,
  { user }: SignedIn,
  { site, origin }: { readonly site: PasskeySite; readonly origin: RequestOrigin },
  context: IdentityContext,
): Promise<RegisterOutcome> {
  const { store, sealer, now, report } = context;
  const challenge = challengeIn(answer) ?? "";
  const read = readChallenge(challenge, { purpose: registrationPurpose[kind], holder }, sealer, now());
  if (read === undefined) return { type: "refused", fault: "challenge" };
  if (read === "expired") return { type: "expired" };
  const alone = kind === "passkey";
  const made = await verifyRegistration(answer, {
    challenge,
    origins: [site.origin],
    rp_id: site.rp_id,
    require_uv: alone,
  });
  if (isPasskeyRefusal(made)) return { type: "refused", fault: made.refused };
  if (!(await isFirstUse(read, context))) return { type: "expired" };
  if ((await passkeysOf(user, site, context)).length >= mostPasskeys) {
    return { type: "refused", fault: "too_many" };
  }
  if ((await store.find("passkeys", { credential_id: made.credential_id })) !== undefined) {
    return { type: "refused", fault: "taken" };
  }
  const { user_verified, transports, ...facts } = made;
  const created_at = now();
  const passkey: Passkey = {
    ...facts,
    id: store.newId(created_at),
    user_id: user.id,
    name,
    rp_id: site.rp_id,
    transports: [...transports],
    uv_initialized: user_verified,
    signs_in: alone,
    last_used_at: null,
    created_at,
  };
  await store.insert("passkeys", passkey);
  report({
    type: "passkey.created",
    outcome: "success",
    actor: { kind: "user", id: user.id },
    target: { table: "passkeys", id: passkey.id },
    origin,
  });
  return { type: "registered", passkey };
}

/** Whether this answer is the first to its challenge, in every process. */
export async function isFirstUse(
  { mark, expires_at }: ReadChallenge,
  { store, now }: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  return store.useOnce("passkey_challenge", mark, expires_at, now());
}
