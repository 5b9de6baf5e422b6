import { decodeBase64url } from "./digest.ts";
import type { PasskeyError } from "./passkey_refusals.ts";

/**
 * Maximum characters of an authenticator's response as JSON. A registration with an RSA key needs about
 * 3,000.
 */
const longestAnswer = 16_384;
/** Maximum bytes of a credential ID (WebAuthn Level 3, section 7.1). */
const longestCredentialId = 1023;

interface PasskeyAnswer {
  /** The credential ID in base64url. */
  readonly credential_id: string;
  readonly client_data: Buffer;
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * Parses the JSON that a page got from the browser's WebAuthn API; undefined if it is no valid public-key
 * credential.
 */
export function readAnswer(text: string): PasskeyAnswer | undefined {
  const credential = text.length > longestAnswer ? undefined : readObject(text);
  const { id, rawId, type, response } = credential ?? {};
  if (typeof id !== "string" || id !== rawId || type !== "public-key" || !isObject(response))
    return undefined;
  const id_bytes = decodeBase64url(id);
  if (!id_bytes?.length || id_bytes.length > longestCredentialId) return undefined;
  const client_data = bytesOf(response.clientDataJSON);
  return client_data && { credential_id: id, client_data, response };
}

/**
 * Returns the challenge in an authenticator's response, without verifying it; undefined if there is none. The
 * caller must pass it to `readChallenge` and verify the signature.
 */
export function challengeIn(text: string): string | undefined {
  const client_data = readAnswer(text)?.client_data;
  const challenge = client_data && readObject(client_data.toString())?.challenge;
  return typeof challenge === "string" ? challenge : undefined;
}

export function bytesOf(value: unknown): Buffer | undefined {
  const bytes = typeof value === "string" ? decodeBase64url(value) : undefined;
  return bytes?.length ? bytes : undefined;
}

interface ExpectedClientData {
  readonly type: "webauthn.create" | "webauthn.get";
  /** The challenge in base64url. */
  readonly challenge: string;
  readonly origins: readonly string[];
}

/**
 * Returns the first error in the client data, if any (WebAuthn, sections 7.1 and 7.2). Rejects responses from
 * a cross-origin frame, in which users do not see where they sign in.
 */
export function clientDataError(bytes: Buffer, expected: ExpectedClientData): PasskeyError | undefined {
  const data = readObject(bytes.toString());
  if (!data) return "malformed";
  if (data.type !== expected.type) return "type";
  if (data.challenge !== expected.challenge) return "challenge";
  if (typeof data.origin !== "string" || !expected.origins.includes(data.origin)) return "origin";
  if ((data.crossOrigin ?? false) !== false || data.topOrigin !== undefined) return "cross_origin";
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
