/**
 * Verifies the responses of authenticators (WebAuthn, section 7). A library parses CBOR and verifies
 * signatures. It is loaded on first use, because it needs 160 ms and 30 MB.
 */
import { algorithmOfCoseKey, passkeyAlgorithms } from "./cose_keys.ts";
import { sha256 } from "./digest.ts";
import { bytesOf, clientDataError, readAnswer } from "./passkey_answer.ts";
import { type PasskeyError, type PasskeyRefusal, refusePasskey } from "./passkey_refusals.ts";

interface ExpectedAnswer {
  /** The challenge in base64url. The caller has verified it and prevents its reuse. */
  readonly challenge: string;
  readonly origins: readonly string[];
  readonly rp_id: string;
  readonly require_uv: boolean;
  /** Defaults to true; false for passkeys that a browser creates automatically. */
  readonly require_up?: boolean | undefined;
}

interface RegisteredPasskey {
  /** The credential ID in base64url. */
  readonly credential_id: string;
  /** The COSE public key in base64url. */
  readonly public_key: string;
  /** The COSE algorithm number. */
  readonly algorithm: number;
  readonly transports: readonly PasskeyTransport[];
  /** The authenticator model as a UUID; all zeros if unknown. */
  readonly aaguid: string;
  readonly backup_eligible: boolean;
  readonly backed_up: boolean;
  readonly user_verified: boolean;
  readonly counter: number;
}

const passkeyTransports = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"] as const;
type PasskeyTransport = (typeof passkeyTransports)[number];

export const knownTransports = (given: readonly unknown[]): PasskeyTransport[] =>
  passkeyTransports.filter((transport) => given.includes(transport));

/**
 * Returns the COSE algorithm number of a stored public key (base64url); undefined if the key is invalid or
 * its algorithm is not accepted.
 */
export async function algorithmOfPublicKey(public_key: string): Promise<number | undefined> {
  const bytes = bytesOf(public_key);
  if (bytes === undefined) return undefined;
  const { helpers } = await library();
  const key = attempt(() => helpers.decodeCredentialPublicKey(plain(bytes)));
  return key instanceof Map ? algorithmOfCoseKey(key) : undefined;
}

/**
 * Verifies the registration of a passkey (PK-2). Accepts the attestation format `none` and self attestation,
 * because the server requests no attestation.
 */
export async function verifyRegistration(
  text: string,
  expected: ExpectedAnswer,
): Promise<RegisteredPasskey | PasskeyRefusal> {
  const answer = readAnswer(text);
  const attested = bytesOf(answer?.response.attestationObject);
  if (!answer || !attested) return refusePasskey("malformed");
  const error = clientDataError(answer.client_data, { ...expected, type: "webauthn.create" });
  if (error) return refusePasskey(error);

  const { registration, helpers } = await library();
  const parsed = attempt(() => {
    const attestation = helpers.decodeAttestationObject(plain(attested));
    const data = helpers.parseAuthenticatorData(attestation.get("authData"));
    const { credentialID: id, credentialPublicKey: cose_key } = data;
    if (!id || !cose_key) return undefined;
    return {
      data,
      id: base64url(id),
      key: helpers.decodeCredentialPublicKey(plain(cose_key)),
      format: attestation.get("fmt"),
      has_certificate: attestation.get("attStmt").get("x5c") !== undefined,
    };
  });
  if (!parsed) return refusePasskey("malformed");
  const { data, id, key, format, has_certificate } = parsed;
  if (id !== answer.credential_id) return refusePasskey("credential_id");
  const data_error = authenticatorDataError(data, expected);
  if (data_error) return refusePasskey(data_error);
  const algorithm = algorithmOfCoseKey(key);
  if (!algorithm) return refusePasskey("algorithm");
  if (format !== "none" && (format !== "packed" || has_certificate)) return refusePasskey("attestation");

  const { transports } = answer.response;
  const verified = await attemptAsync(() =>
    registration({
      response: credentialOf(answer.credential_id, {
        clientDataJSON: base64url(answer.client_data),
        attestationObject: base64url(attested),
      }),
      expectedChallenge: expected.challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.rp_id,
      requireUserVerification: expected.require_uv,
      requireUserPresence: expected.require_up ?? true,
      supportedAlgorithmIDs: Object.values(passkeyAlgorithms),
    }),
  );
  if (!verified?.verified) return refusePasskey("attestation");
  const { aaguid, credential, userVerified } = verified.registrationInfo;
  return {
    credential_id: credential.id,
    public_key: base64url(credential.publicKey),
    algorithm,
    transports: passkeyTransports.filter((name) => Array.isArray(transports) && transports.includes(name)),
    aaguid,
    backup_eligible: data.flags.be,
    backed_up: data.flags.bs,
    user_verified: userVerified,
    counter: credential.counter,
  };
}

/** A parsed sign-in response whose signature has not been verified. */
export interface Assertion {
  readonly credential_id: string;
  /**
   * The user ID that the authenticator stores (WebAuthn user handle), in base64url. It may be absent if the
   * page requested a specific credential.
   */
  readonly user_handle: string | undefined;
  readonly client_data: Buffer;
  readonly authenticator_data: Buffer;
  readonly signature: Buffer;
}

export function readAssertion(text: string): Assertion | PasskeyRefusal {
  const answer = readAnswer(text);
  if (!answer) return refusePasskey("malformed");
  const { userHandle } = answer.response;
  const authenticator_data = bytesOf(answer.response.authenticatorData);
  const signature = bytesOf(answer.response.signature);
  const has_handle = userHandle !== undefined && userHandle !== null;
  if (!authenticator_data || !signature || (has_handle && !bytesOf(userHandle))) {
    return refusePasskey("malformed");
  }
  return {
    credential_id: answer.credential_id,
    user_handle: has_handle ? String(userHandle) : undefined,
    client_data: answer.client_data,
    authenticator_data,
    signature,
  };
}

interface KnownPasskey {
  readonly credential_id: string;
  readonly public_key: string;
  readonly backup_eligible: boolean;
  readonly counter: number;
}

interface VerifiedAssertion {
  readonly user_verified: boolean;
  readonly backed_up: boolean;
  readonly counter: number;
  /**
   * Whether the signature counter of a device-bound passkey did not increase, which suggests a cloned
   * authenticator (PK-5; WebAuthn, section 6.1.1). Always false for synced passkeys, which have no common
   * counter.
   */
  readonly counter_went_back: boolean;
}

/**
 * Verifies a sign-in with a known passkey (PK-3, PK-4). The caller has checked that the passkey belongs to
 * the user.
 */
export async function verifyAssertion(
  assertion: Assertion,
  expected: ExpectedAnswer,
  passkey: KnownPasskey,
): Promise<VerifiedAssertion | PasskeyRefusal> {
  if (assertion.credential_id !== passkey.credential_id) return refusePasskey("credential_id");
  const error = clientDataError(assertion.client_data, { ...expected, type: "webauthn.get" });
  if (error) return refusePasskey(error);

  const { authentication, helpers } = await library();
  const data = attempt(() => helpers.parseAuthenticatorData(plain(assertion.authenticator_data)));
  if (!data || data.flags.at) return refusePasskey("malformed");
  const data_error = authenticatorDataError(data satisfies AuthenticatorData, expected);
  if (data_error) return refusePasskey(data_error);

  const public_key = plain(Buffer.from(passkey.public_key, "base64url"));
  const key = attempt(() => helpers.decodeCredentialPublicKey(public_key));
  const algorithm = key && algorithmOfCoseKey(key);
  // Checks the DER encoding first, because the library also accepts BER and wrong lengths.
  if (algorithm === passkeyAlgorithms.ES256 && !isDerEcdsaSignature(assertion.signature)) {
    return refusePasskey("signature");
  }
  const verified = await attemptAsync(() =>
    authentication({
      response: credentialOf(assertion.credential_id, {
        clientDataJSON: base64url(assertion.client_data),
        authenticatorData: base64url(assertion.authenticator_data),
        signature: base64url(assertion.signature),
      }),
      expectedChallenge: expected.challenge,
      expectedOrigin: [...expected.origins],
      expectedRPID: expected.rp_id,
      requireUserVerification: expected.require_uv,
      credential: {
        id: passkey.credential_id,
        publicKey: public_key,
        // With the stored counter, the library would reject synced passkeys, whose counters need not
        // increase. Passing 0 disables its check.
        counter: 0,
      },
    }),
  );
  if (!verified?.verified) return refusePasskey("signature");
  // After the signature check, only the owner of the passkey can cause this error.
  if (data.flags.be !== passkey.backup_eligible) return refusePasskey("backup_eligible_changed");
  const { counter } = data;
  return {
    user_verified: data.flags.uv,
    backed_up: data.flags.bs,
    counter,
    counter_went_back:
      !passkey.backup_eligible && (counter > 0 || passkey.counter > 0) && counter <= passkey.counter,
  };
}

async function library() {
  const [{ verifyRegistrationResponse, verifyAuthenticationResponse }, helpers] = await Promise.all([
    import("@simplewebauthn/server"),
    import("@simplewebauthn/server/helpers"),
  ]);
  return { registration: verifyRegistrationResponse, authentication: verifyAuthenticationResponse, helpers };
}

function credentialOf<Response>(id: string, response: Response) {
  return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {}, response };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** Copies the bytes, because the library reads `.buffer`, which Node.js buffers share. */
function plain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}

function attempt<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

async function attemptAsync<Value>(verify: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}

interface AuthenticatorData {
  readonly rpIdHash: Uint8Array;
  readonly flags: {
    readonly up: boolean;
    readonly uv: boolean;
    readonly be: boolean;
    readonly bs: boolean;
    readonly at: boolean;
  };
}

interface ExpectedAuthenticatorData {
  readonly rp_id: string;
  readonly require_uv: boolean;
  readonly require_up?: boolean | undefined;
}

/**
 * Returns the first error in the authenticator data (WebAuthn, section 7.1, steps 13 to 17; section 7.2,
 * steps 15 to 19).
 */
function authenticatorDataError(
  { rpIdHash, flags }: AuthenticatorData,
  { rp_id, require_uv, require_up = true }: ExpectedAuthenticatorData,
): PasskeyError | undefined {
  if (!sha256(rp_id).equals(rpIdHash)) return "rp_id";
  if (require_up && !flags.up) return "user_presence";
  if (require_uv && !flags.uv) return "user_verification";
  if (flags.bs && !flags.be) return "backup_flags";
  return undefined;
}

/**
 * Returns whether the bytes are a DER-encoded ECDSA signature for a curve of up to 256 bits (RFC 3279,
 * section 2.2.3).
 */
export function isDerEcdsaSignature(bytes: Uint8Array): boolean {
  const [sequence, length] = bytes;
  if (sequence !== tag.sequence || length !== bytes.length - 2) return false;
  const second = integerEnd(bytes, 2);
  return second !== undefined && integerEnd(bytes, second) === bytes.length;
}

const tag = { sequence: 0x30, integer: 0x02 } as const;
/** Maximum bytes of a 256-bit integer in DER, including a leading zero for the sign. */
const mostBytes = 33;

function integerEnd(bytes: Uint8Array, start: number): number | undefined {
  const [kind, length = 0, first = 0, next = 0] = bytes.subarray(start, start + 4);
  if (kind !== tag.integer || length < 1 || length > mostBytes) return undefined;
  const negative = first >= 0x80;
  const padded = first === 0 && (length === 1 || next < 0x80);
  return negative || padded ? undefined : start + 2 + length;
}
