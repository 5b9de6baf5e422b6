import { passkeyAlgorithms } from "../../../crypto/cose_keys.ts";
import { challengeLifetime } from "../../../crypto/passkey_challenge.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { Passkey } from "./own_passkeys.ts";
import type { PasskeySite } from "./passkey_site.ts";

/**
 * A security key is only a second factor; it is asked neither for a PIN nor to store a discoverable
 * credential (PK-6).
 */
export type PasskeyKind = "passkey" | "security_key";

/** Part of `PublicKeyCredentialCreationOptionsJSON` (WebAuthn 5.4). */
export interface CreationOptions {
  readonly [member: string]: unknown;
  readonly challenge: string;
}

interface PasskeyOwner {
  readonly user: Pick<User, "email" | "name">;
  /** The user handle in base64url. */
  readonly handle: string;
  readonly passkeys: readonly Pick<Passkey, "credential_id" | "transports">[];
}

/** Returns the options for `navigator.credentials.create()` (PK-2). */
export function creationOptions(
  kind: PasskeyKind,
  challenge: string,
  { user, handle, passkeys }: PasskeyOwner,
  { site, server_name }: { readonly site: PasskeySite; readonly server_name: string },
): CreationOptions {
  const alone = kind === "passkey";
  return {
    rp: { id: site.rp_id, name: server_name },
    user: { id: handle, name: user.email, displayName: user.name || user.email },
    challenge,
    pubKeyCredParams: Object.values(passkeyAlgorithms).map((alg) => ({ type: "public-key", alg })),
    timeout: challengeLifetime,
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: {
      residentKey: alone ? "required" : "discouraged",
      requireResidentKey: alone,
      userVerification: alone ? "required" : "discouraged",
      ...(!alone && { authenticatorAttachment: "cross-platform" }),
    },
    attestation: "none",
    extensions: { credProps: true },
  };
}

/** Part of `PublicKeyCredentialRequestOptionsJSON` (WebAuthn 5.5). */
export interface RequestOptions {
  readonly [member: string]: unknown;
  readonly challenge: string;
}

/**
 * Returns the options for `navigator.credentials.get()`. `allowed` is empty before a first factor, so that an
 * email address alone reveals no passkey IDs (PK-9).
 */
export function requestOptions(
  challenge: string,
  allowed: readonly Pick<Passkey, "credential_id" | "transports">[],
  { rp_id }: PasskeySite,
  { require_uv }: { readonly require_uv: boolean },
): RequestOptions {
  return {
    challenge,
    rpId: rp_id,
    timeout: challengeLifetime,
    allowCredentials: allowed.map(descriptorOf),
    userVerification: require_uv ? "required" : "preferred",
  };
}

function descriptorOf({ credential_id, transports }: Pick<Passkey, "credential_id" | "transports">) {
  return { type: "public-key", id: credential_id, transports };
}
