import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { equalBytes } from "./credentials.ts";
import { decodeBase64url } from "./digest.ts";
import type { OutsideSigner } from "./outside_signer.ts";

/** A value that was encrypted for one purpose cannot be decrypted for another. */
export type Purpose =
  | "signing_key"
  | "linked_account"
  | "totp_authenticator"
  | "form"
  | "cookie"
  | "ephemera"
  | "cursor"
  | "dpop_nonce"
  | "passkey_challenge"
  | "user_handle"
  | "provider_secret"
  | "stream_authorization"
  | "webhook_secret";

/**
 * Encrypts values with the first secret key, and decrypts them with any of the secret keys (D-5, H-6; design
 * 6.21).
 */
export interface Sealer {
  /**
   * Returns the encrypted value: `v1.<key id>.<base64url(iv ‖ ciphertext ‖ tag)>`, AES-256-GCM. Decryption
   * requires the same `aad`, such as the record's ID. Throws a TypeError for ill-formed Unicode.
   */
  seal(purpose: Purpose, plaintext: string, aad: string): string;
  /**
   * Returns the plaintext. Throws a SealError if the value was altered, its key is not configured, or
   * `purpose` or `aad` is another.
   */
  open(purpose: Purpose, sealed: string, aad: string): string;
  isSealedUnderFirst(sealed: string): boolean;
  hasKeyOf(sealed: string): boolean;
  mac(purpose: Purpose, text: string): string;
  /**
   * Returns the MAC under each secret key, the first key's first. After a key rotation, lookups need all of
   * them.
   */
  macs(purpose: Purpose, text: string): readonly [string, ...string[]];
  /** Compares in constant time (C-11). */
  macIs(purpose: Purpose, text: string, mac: string): boolean;
  /**
   * The external signer, in which new signing keys are created; undefined if they are stored in the database.
   */
  readonly outside?: OutsideSigner | undefined;
}

/** A value cannot be decrypted. The message never contains it. */
export class SealError extends Error {
  readonly purpose: Purpose;

  constructor(purpose: Purpose, cause: string) {
    super(`a sealed value (${purpose}) cannot be opened: ${cause}`);
    this.name = "SealError";
    this.purpose = purpose;
  }
}

const cipher = "aes-256-gcm";
const keyBytes = 32;
/** IVs are random; NIST SP 800-38D, section 8.3 allows 2³² encryptions per key. */
const ivBytes = 12;
const tagBytes = 16;

/**
 * Returns a sealer for secret keys of at least 32 bytes, of which the first encrypts. HKDF-SHA-256 (RFC 5869)
 * derives a key per purpose.
 */
export function sealer(keys: readonly Buffer[], outside?: OutsideSigner): Sealer {
  const rings = keys.map(keyRing);
  const [first] = rings;
  if (!first) throw new TypeError("sealing needs at least one secret key");
  const byId = new Map(rings.map((ring) => [ring.id, ring]));

  return {
    outside,
    seal(purpose, plaintext, aad) {
      const head = `v1.${first.id}.`;
      return head + encrypt(first.key("seal", purpose), plaintext, `${head}${aad}`);
    },
    open(purpose, sealed, aad) {
      const [head, id, body] = /^v1\.([0-9a-f]{16})\.([A-Za-z0-9_-]+)$/.exec(sealed) ?? [];
      if (head === undefined || id === undefined || body === undefined) {
        throw new SealError(
          purpose,
          "it does not have the format of a sealed value, so the data was altered",
        );
      }
      const ring = byId.get(id);
      if (!ring)
        throw new SealError(purpose, `the secret key with the ID ${id} is missing from POSTERN_SECRET_KEY`);
      const plaintext = decrypt(ring.key("seal", purpose), body, `v1.${id}.${aad}`);
      if (plaintext === undefined)
        throw new SealError(purpose, "the data was altered or belongs to another record");
      return plaintext;
    },
    isSealedUnderFirst(sealed) {
      return sealed.startsWith(`v1.${first.id}.`);
    },
    hasKeyOf(sealed) {
      return byId.has(sealed.split(".", 2)[1] ?? "");
    },
    macs(purpose, text) {
      const others = rings.slice(1).map((ring) => macOf(ring.key("mac", purpose), text));
      return [macOf(first.key("mac", purpose), text), ...others];
    },
    mac(purpose, text) {
      return macOf(first.key("mac", purpose), text);
    },
    macIs(purpose, text, mac) {
      return rings.some((ring) => equalBytes(macOf(ring.key("mac", purpose), text), mac));
    },
  };
}

/**
 * Encrypts with a key that is derived from a secret, such as a refresh token, which the database does not
 * contain (design 6.9). `secretText` needs at least 128 random bits. Decryption requires the same `info`.
 */
export function sealUnder(secretText: string, info: string, plaintext: string): string {
  return `v1.${encrypt(keyUnder(secretText, info), plaintext, info)}`;
}

/**
 * Decrypts a result of `sealUnder`. Undefined if the value was altered, or if the secret or `info` is
 * another.
 */
export function openUnder(secretText: string, info: string, sealed: string): string | undefined {
  return sealed.startsWith("v1.") ? decrypt(keyUnder(secretText, info), sealed.slice(3), info) : undefined;
}

interface Ring {
  readonly id: string;
  key(use: "seal" | "mac", purpose: Purpose): KeyObject;
}

function keyRing(master: Buffer): Ring {
  if (master.length < keyBytes) throw new TypeError(`a secret key has ${keyBytes} bytes or more`);
  const secret = createSecretKey(master);
  const derived = new Map<string, KeyObject>();
  return {
    // The ID is not secret. It is a hash of a derived value, so it does not reveal the key.
    id: hash("sha256", derive(secret, "key id"), "hex").slice(0, 16),
    key(use, purpose) {
      const info = `${use} ${purpose}`;
      const known = derived.get(info);
      if (known) return known;
      const key = createSecretKey(derive(secret, info));
      derived.set(info, key);
      return key;
    },
  };
}

function keyUnder(secretText: string, info: string): KeyObject {
  return createSecretKey(derive(Buffer.from(secretText), `seal under ${info}`));
}

function derive(secret: KeyObject | Buffer, info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `postern v1 ${info}`, keyBytes));
}

function macOf(key: KeyObject, text: string): string {
  return createHmac("sha256", key).update(text).digest("base64url");
}

function encrypt(key: KeyObject, plaintext: string, aad: string): string {
  if (!plaintext.isWellFormed()) throw new TypeError("only well-formed Unicode can be sealed");
  const iv = randomBytes(ivBytes);
  const encryption = createCipheriv(cipher, key, iv, { authTagLength: tagBytes }).setAAD(Buffer.from(aad));
  const ciphertext = [encryption.update(plaintext, "utf8"), encryption.final()];
  return Buffer.concat([iv, ...ciphertext, encryption.getAuthTag()]).toString("base64url");
}

function decrypt(key: KeyObject, text: string, aad: string): string | undefined {
  const bytes = decodeBase64url(text);
  if (!bytes || bytes.length < ivBytes + tagBytes) return;
  const decryption = createDecipheriv(cipher, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(aad))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    const plaintext = decryption.update(bytes.subarray(ivBytes, -tagBytes));
    return Buffer.concat([plaintext, decryption.final()]).toString();
  } catch {
    return;
  }
}
