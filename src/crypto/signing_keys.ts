import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { calculateJwkThumbprint } from "jose";
import { OverloadedError, UnavailableError } from "../errors.ts";
import type { OutsideSigner } from "./outside_signer.ts";
import type { Sealer } from "./sealing.ts";
import {
  algorithms,
  fewestRsaBits,
  publicJwkOf,
  type SigningAlgorithm,
  type SigningPublicJwk,
  signingAlgorithms,
} from "./signing_algorithms.ts";
import { type SigningThread, signAtOnce } from "./signing_thread.ts";

/**
 * A stored signing key. It is in the public key set from `created_at` to `expires_at`, and signs from
 * `activates_at` to `retires_at`. The last token that it signed has expired at `expires_at` (D-4).
 */
export interface SigningKeyRecord {
  readonly id: string;
  /** The SHA-256 thumbprint of `public_jwk` (RFC 7638). */
  readonly kid: string;
  readonly public_jwk: SigningPublicJwk;
  /** The only algorithm with which the key may sign (RFC 8725, section 3.1). */
  readonly algorithm: SigningAlgorithm;
  /**
   * Encrypted with the record's ID as `aad` (D-5): the private key in PEM (PKCS #8), or `outside:` and the
   * external signer's name for the key.
   */
  readonly private_key_sealed: string;
  readonly activates_at: Date;
  readonly retires_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

/**
 * The `typ` of a signed token: access token (RFC 9068), ID token, logout token (OpenID Connect Back-Channel
 * Logout 1.0) or security event token (RFC 8417).
 */
export type JwtType = (typeof jwtTypes)[number];
const jwtTypes = ["at+jwt", "JWT", "logout+jwt", "secevent+jwt"] as const;

export interface SigningKey {
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly public_jwk: SigningPublicJwk;
  readonly publicKey: KeyObject;
  /**
   * Returns the signature of a JWS input in base64url (RFC 7515, section 5.1). Throws an OverloadedError if
   * an external signer fails.
   */
  sign(input: string): string | Promise<string>;
  /** For each `typ`, the encoded header and the dot after it. */
  readonly headers: Readonly<Record<JwtType, string>>;
}

interface PublishedJwk extends SigningPublicJwk {
  readonly kid: string;
  readonly use: "sig";
  readonly alg: SigningAlgorithm;
}

export interface KeyRing {
  /**
   * Returns the newest active key of the algorithm. Without one, returns a future or retired one, so that
   * tokens can still be issued. Throws an UnavailableError if the key set contains no key of the algorithm.
   */
  signingKey(now: Date, algorithm?: SigningAlgorithm): SigningKey;
  algorithms(now: Date): SigningAlgorithm[];
  /**
   * Returns the keys of the public key set, newest first: future, active, and retired ones whose tokens may
   * be valid.
   */
  published(now: Date): SigningKey[];
  /** Returns the public key set (spec 4.6, D-3). Throws an UnavailableError if it would be empty. */
  jwks(now: Date): { keys: PublishedJwk[] };
  find(kid: string): SigningKey | undefined;
}

export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export interface NewKeyOptions {
  readonly algorithm?: SigningAlgorithm;
  readonly bits?: number;
  readonly pair?: Promise<KeyPair> | undefined;
}

const outsideMark = "outside:";

/**
 * Returns a new signing key for the record `id`, with its private key encrypted or in the external signer.
 * Throws a RangeError for RSA of less than 2048 bits (RFC 7518, section 3.3).
 */
export async function generateSigningKey(
  sealer: Sealer,
  id: string,
  { algorithm = "RS256", bits = fewestRsaBits, pair }: NewKeyOptions = {},
): Promise<Pick<SigningKeyRecord, "kid" | "public_jwk" | "algorithm" | "private_key_sealed">> {
  if (bits < fewestRsaBits) throw new RangeError(`an RSA key has ${fewestRsaBits} bits or more`);
  const { public_jwk, kept } = await (sealer.outside === undefined
    ? madeHere(pair ?? algorithms[algorithm].generate(bits))
    : makeOutside(sealer.outside, id, algorithm));
  return {
    kid: await calculateJwkThumbprint(public_jwk, "sha256"),
    public_jwk,
    algorithm,
    private_key_sealed: sealer.seal("signing_key", kept, id),
  };
}

async function madeHere(pair: Promise<KeyPair>) {
  const { publicKey, privateKey } = await pair;
  const kept = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return { public_jwk: publicJwkOf(publicKey), kept };
}

/** Signs once, so that a key that cannot sign is never published. */
async function makeOutside(outside: OutsideSigner, id: string, algorithm: SigningAlgorithm) {
  const made = await outside.generate(algorithm);
  // Copies only the public members, because the signer may return others.
  const public_jwk = publicJwkOf(publicKeyOf(made.public_jwk, algorithm));
  await usedOutside(made.reference, { id, algorithm, public_jwk }, { outside }).sign(id);
  return { public_jwk, kept: outsideMark + made.reference };
}

function publicKeyOf(jwk: SigningPublicJwk, algorithm: SigningAlgorithm): KeyObject {
  const key = createPublicKey({ key: { ...jwk }, format: "jwk" });
  const { fits, requires } = algorithms[algorithm];
  if (!fits(key)) throw new Error(`the signer's key for ${algorithm} is not ${requires}`);
  return key;
}

/**
 * Decrypts all signing keys. Throws if a key is unusable, so that startup fails instead of issuing tokens
 * that cannot be verified (design 6.21).
 */
export async function openKeyRing(
  records: readonly SigningKeyRecord[],
  sealer: Sealer,
  thread?: SigningThread,
): Promise<KeyRing> {
  const newestFirst = records.toSorted(
    (a, b) =>
      b.activates_at.getTime() - a.activates_at.getTime() ||
      b.created_at.getTime() - a.created_at.getTime() ||
      (a.id < b.id ? 1 : -1),
  );
  const entries = await Promise.all(
    newestFirst.map(async (record) => ({ record, key: await openSigningKey(record, sealer, thread) })),
  );
  const byKid = new Map(entries.map(({ key }) => [key.kid, key]));
  if (byKid.size < entries.length) throw new Error("two signing keys have the same kid");

  const published = (now: Date) => entries.filter(({ record }) => !isPast(record.expires_at, now));

  return {
    signingKey(now, algorithm = "RS256") {
      const usable = published(now).filter(({ key }) => key.algorithm === algorithm);
      const started = usable.filter(({ record }) => record.activates_at <= now);
      const chosen =
        started.find(({ record }) => !isPast(record.retires_at, now)) ??
        usable.findLast(({ record }) => record.activates_at > now) ??
        started[0];
      if (!chosen) throw missingKey(`there is no ${algorithm} signing key`);
      return chosen.key;
    },
    published(now) {
      return published(now).map(({ key }) => key);
    },
    algorithms(now) {
      const present = new Set(published(now).map(({ key }) => key.algorithm));
      return signingAlgorithms.filter((algorithm) => present.has(algorithm));
    },
    jwks(now) {
      const keys = published(now).map(({ key }) => publishedJwk(key));
      // An API that caches an empty key set would reject every token until the cache expires.
      if (keys.length === 0) throw missingKey("there is no signing key");
      return { keys };
    },
    find(kid) {
      return byKid.get(kid);
    },
  };
}

/** The database lacks a signing key, for example because it was recreated while the server was running. */
function missingKey(what: string): UnavailableError {
  return new UnavailableError("gone", `${what}; create one with \`postern keys rotate\``, undefined);
}

async function openSigningKey(
  record: SigningKeyRecord,
  sealer: Sealer,
  thread: SigningThread | undefined,
): Promise<SigningKey> {
  const { id, kid, algorithm } = record;
  const kept = sealer.open("signing_key", record.private_key_sealed, id);
  const { publicKey, sign } = kept.startsWith(outsideMark)
    ? usedOutside(kept.slice(outsideMark.length), record, sealer)
    : usedHere(kept, record, thread);
  const public_jwk = publicJwkOf(publicKey);
  if ((await calculateJwkThumbprint(public_jwk, "sha256")) !== kid) {
    throw new Error(`signing key ${id} is not the key that its kid names`);
  }
  const headers = Object.fromEntries(jwtTypes.map((typ) => [typ, headerText(algorithm, typ, kid)])) as Record<
    JwtType,
    string
  >;
  return {
    kid,
    algorithm,
    public_jwk,
    publicKey,
    sign,
    headers,
  };
}

type UsableKey = Pick<SigningKey, "publicKey" | "sign">;

function usedHere(
  pem: string,
  { id, algorithm }: SigningKeyRecord,
  thread: SigningThread | undefined,
): UsableKey {
  const privateKey = createPrivateKey(pem);
  const { fits, requires, digest, sign: scheme, signsAtOnce } = algorithms[algorithm];
  if (!fits(privateKey)) throw new Error(`signing key ${id} is not ${requires}`);
  const signer = scheme(privateKey);
  const key = { digest, signer };
  const signFast = (input: string) =>
    thread === undefined ? signAtOnce(key, input) : thread.sign(key, input);
  const signInPool = (input: string) =>
    new Promise<string>((resolve, reject) => {
      sign(digest, Buffer.from(input, "latin1"), signer, (error, signature) => {
        if (error) reject(error);
        else resolve(signature.toString("base64url"));
      });
    });
  return {
    // Derives the public key from the private key instead of the record, so that it always verifies the
    // signatures.
    publicKey: createPublicKey(privateKey),
    sign: signsAtOnce ? signFast : signInPool,
  };
}

function usedOutside(
  reference: string,
  { id, algorithm, public_jwk }: Pick<SigningKeyRecord, "id" | "algorithm" | "public_jwk">,
  { outside }: Pick<Sealer, "outside">,
): UsableKey {
  if (outside === undefined)
    throw new Error(`signing key ${id} is held by a signer, and POSTERN_SIGNER names none`);
  const publicKey = publicKeyOf(public_jwk, algorithm);
  const { digest, sign: scheme } = algorithms[algorithm];
  return {
    publicKey,
    async sign(input) {
      const bytes = Buffer.from(input, "latin1");
      const signature = await outside.sign(reference, algorithm, bytes);
      // Verifies the signature before it is returned, because an external signer may use a wrong key.
      if (verify(digest, bytes, scheme(publicKey), signature)) return signature.toString("base64url");
      throw new OverloadedError(retryAfter, `the signer's signature does not match the key ${id}`);
    },
  };
}

const retryAfter = 2;

/**
 * The order of the members must not change, because the published key set must stay identical byte for byte
 * (PR-32).
 */
function publishedJwk({ kid, algorithm, public_jwk }: SigningKey): PublishedJwk {
  const { kty, ...members } = public_jwk;
  return { kty, kid, use: "sig", alg: algorithm, ...members };
}

function headerText(alg: SigningAlgorithm, typ: JwtType, kid: string): string {
  return `${Buffer.from(JSON.stringify({ alg, typ, kid })).toString("base64url")}.`;
}

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
