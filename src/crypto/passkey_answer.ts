import { decodeBase64url } from "./digest.ts";
import type { PasskeyError } from "./passkey_refusals.ts";

/** In characters of the credential's JSON. A registration with an RSA key needs about 3,000. */
const longestAnswer = 16_384;
/** In bytes (WebAuthn, section 5.8.3; CTAP 2.2, section 6.1). */
const longestCredentialId = 1023;

interface PasskeyAnswer {
  /** Base64url. */
  readonly credential_id: string;
  readonly client_data: Buffer;
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * Parses the JSON that a page posted; undefined unless it is a public-key credential of at most 16,384
 * characters.
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
 * Returns the challenge that a posted answer contains, without verifying it. `readChallenge` checks that this
 * server created the challenge, and the signature proves that the answer belongs to it.
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
  /** Base64url. */
  readonly challenge: string;
  readonly origins: readonly string[];
}

/**
 * Returns the error in the client data, if any (WebAuthn, section 7.1, steps 5 to 10; section 7.2, steps 9
 * to 14). A page in a frame of another origin is rejected, because its user does not see where they sign
 * in.
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
