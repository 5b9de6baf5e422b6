import { hash, randomBytes, randomFillSync, timingSafeEqual } from "node:crypto";
import { decodeBase64url } from "./digest.ts";

/** Secret scanners recognize leaked credentials by these prefixes. */
export const credentialPrefix = {
  code: "pac_",
  refresh_token: "prt_",
  client_secret: "pcs_",
  session: "pse_",
  one_time: "pot_",
  device: "pdv_",
  recovery: "pry_",
} as const;

const timeBytes = 6;
const randomLength = 32;
const credentialBytes = timeBytes + randomLength;
const credentialCharacters = Math.ceil((credentialBytes * 4) / 3);
const signatureBytes = 32;

const longestToken = 8192;

const uuidVersion7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/**
 * Returns a new credential: the prefix, then base64url of a 6-byte time (Unix milliseconds, big-endian) and
 * 32 random bytes. The time is not secret.
 */
export function newCredential(prefix: string, now: Date): string {
  const bytes = Buffer.allocUnsafe(credentialBytes);
  bytes.writeUIntBE(now.getTime(), 0, timeBytes);
  randomFillSync(bytes, timeBytes);
  return prefix + bytes.toString("base64url");
}

/**
 * Returns the value under which the database stores a credential: its creation time (6 bytes) and the first
 * 26 bytes of its SHA-256. The time keeps new rows together in the index
 * (docs/decisions/keys-and-signatures.md).
 */
export function signatureOf(credential: string, made_at_ms: number): Buffer {
  const signature = Buffer.allocUnsafe(signatureBytes);
  signature.writeUIntBE(made_at_ms, 0, timeBytes);
  // Requests the hash as a Latin-1 string, because allocating a buffer would take as long as hashing.
  signature.write(hash("sha256", credential, "latin1"), timeBytes, signatureBytes - timeBytes, "latin1");
  return signature;
}

/**
 * Returns the stored value (`signatureOf`) of a credential that a client sent. Undefined unless the string
 * has exactly the format of `newCredential` with this prefix (T-11).
 */
export function findSignature(prefix: string, credential: string): Buffer | undefined {
  if (credential.length !== prefix.length + credentialCharacters || !credential.startsWith(prefix)) return;
  const bytes = decodeBase64url(credential.slice(prefix.length));
  return bytes && signatureOf(credential, bytes.readUIntBE(0, timeBytes));
}

export interface PresentedAccessToken {
  readonly jti: string;
  readonly signature: Buffer;
}

/**
 * Returns the `jti` and the stored value (`signatureOf`) of an access token, without verifying it. Undefined
 * unless the string is a canonical compact JWS with a UUIDv7 as `jti`.
 */
export function readAccessToken(jwt: string): PresentedAccessToken | undefined {
  if (jwt.length > longestToken) return;
  const parts = jwt.split(".", 4);
  if (parts.length !== 3) return;
  const [header, payload, proof] = parts.map(decodeBase64url);
  if (!header?.length || !payload?.length || !proof?.length) return;
  const jti = jtiOf(payload);
  if (jti === undefined) return;
  return { jti, signature: signatureOf(jwt, Number.parseInt(jti.slice(0, 8) + jti.slice(9, 13), 16)) };
}

export function accessTokenSignature(jwt: string): Buffer | undefined {
  return readAccessToken(jwt)?.signature;
}

function jtiOf(payload: Buffer): string | undefined {
  let claims: unknown;
  try {
    claims = JSON.parse(payload.toString());
  } catch {
    return;
  }
  if (typeof claims !== "object" || claims === null || !("jti" in claims)) return;
  const { jti } = claims;
  return typeof jti === "string" && uuidVersion7.test(jti) ? jti : undefined;
}

/**
 * Compares two secrets in constant time, without revealing their lengths (C-11). Strings are compared as
 * UTF-8; a string of ill-formed Unicode equals nothing, not even itself.
 */
export function equalBytes(a: string | Uint8Array, b: string | Uint8Array): boolean {
  if ((typeof a === "string" && !a.isWellFormed()) || (typeof b === "string" && !b.isWellFormed()))
    return false;
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}

/**
 * Returns the first characters of a secret, which may be displayed: at most 12, and at most a quarter of the
 * secret (spec 5, design 6.19).
 */
export function prefixOf(secret: string): string {
  const characters = [...secret];
  return characters.slice(0, Math.min(12, Math.floor(characters.length / 4))).join("");
}

export function newSecretKey(): string {
  return randomBytes(32).toString("base64");
}

/**
 * Returns the bytes of a secret key in hexadecimal, base64 or base64url. Throws a TypeError for other strings
 * and for weak keys (H-12); its message never quotes the key.
 */
export function readSecretKey(text: string): Buffer {
  if (text.trim() === "") throw new TypeError("the secret key is empty");
  const bytes = decodeKey(text.trim());
  if (!bytes) throw new TypeError("the secret key must be in base64 or hexadecimal");
  if (bytes.length < 32)
    throw new TypeError(`the secret key must have at least 32 bytes; it has ${bytes.length}`);
  if (new Set(bytes).size < 8 || isRepeated(bytes)) {
    throw new TypeError(
      "the secret key is too regular to be random; create one with `openssl rand -base64 32`",
    );
  }
  return bytes;
}

function decodeKey(text: string): Buffer | undefined {
  // Hexadecimal is checked first: 48 hexadecimal digits (24 bytes) would also be valid base64 for 36 bytes.
  if (/^[0-9a-f]+$/i.test(text)) return text.length % 2 === 0 ? Buffer.from(text, "hex") : undefined;
  const unpadded = text.replace(/={1,2}$/, "");
  if (unpadded !== text && text.length % 4 !== 0) return;
  return decodeBase64url(unpadded.replaceAll("+", "-").replaceAll("/", "_"));
}

function isRepeated(bytes: Buffer): boolean {
  for (let period = 1; period <= bytes.length / 2; period++) {
    if (bytes.subarray(period).equals(bytes.subarray(0, -period))) return true;
  }
  return false;
}
