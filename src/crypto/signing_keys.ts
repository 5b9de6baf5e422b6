import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint } from "jose";
import type { Sealer } from "./sealing.ts";

/** The public half of an RSA key (RFC 7518 section 6.3.1): modulus and exponent in base64url. */
export interface RsaPublicJwk {
  readonly kty: "RSA";
  readonly n: string;
  readonly e: string;
}

/**
 * A signing key as it is stored. Published from `created_at`, signs from `activates_at` to `retires_at`. It
 * stays published until `expires_at`, when the last token that it signed has expired (D-4).
 */
export interface SigningKeyRecord {
  readonly id: string;
  /** The RFC 7638 SHA-256 thumbprint of `public_jwk`. */
  readonly kid: string;
  readonly public_jwk: RsaPublicJwk;
  /** PKCS #8 PEM, sealed for the purpose `signing_key` with the record's id as AAD (D-5). */
  readonly private_key_sealed: string;
  readonly activates_at: Date;
  readonly retires_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

/** The `typ` of the tokens that we sign: access tokens (RFC 9068 section 2.1) and ID tokens. */
export type JwtType = "at+jwt" | "JWT";

/** A signing key ready for use. */
export interface SigningKey {
  readonly kid: string;
  readonly public_jwk: RsaPublicJwk;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /**
   * For each `typ` the encoded protected header and the dot after it: the same for every token, so made once.
   */
  readonly headers: Readonly<Record<JwtType, string>>;
}

/** One key of the key set document (spec 4.6). */
export interface PublishedJwk extends RsaPublicJwk {
  readonly kid: string;
  readonly use: "sig";
  readonly alg: "RS256";
}

/** Every signing key this server knows, in an order all processes agree on. */
export interface KeyRing {
  /**
   * The key to sign with: the newest that is active. When none is, the one that will be next, else the one
   * that was last: a gap in the schedule must not stop the tokens. Throws an Error when no key is published,
   * since then no token could be verified.
   */
  signingKey(now: Date): SigningKey;
  /** Active, coming and retired keys that tokens may still name; newest first. */
  published(now: Date): SigningKey[];
  /** The key set document: public members only (spec 4.6, D-3). */
  jwks(now: Date): { keys: PublishedJwk[] };
  find(kid: string): SigningKey | undefined;
}

const fewestBits = 2048;
const newKeyPair = promisify(generateKeyPair);

/**
 * A new RS256 key for the record `id`, made in the thread pool and sealed at once. Throws a RangeError under
 * 2048 bits (RFC 7518 section 3.3).
 */
export async function generateSigningKey(
  sealer: Sealer,
  id: string,
  bits = fewestBits,
): Promise<Pick<SigningKeyRecord, "kid" | "public_jwk" | "private_key_sealed">> {
  if (bits < fewestBits) throw new RangeError(`an RS256 key has ${fewestBits} bits or more`);
  const { publicKey, privateKey } = await newKeyPair("rsa", { modulusLength: bits, publicExponent: 0x10001 });
  const public_jwk = publicJwkOf(publicKey);
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  return {
    kid: await calculateJwkThumbprint(public_jwk, "sha256"),
    public_jwk,
    private_key_sealed: sealer.seal("signing_key", pem, id),
  };
}

/**
 * Opens every record's private key once. Throws a SealError when a key cannot be opened. Throws an Error when
 * one is not the RSA key of 2048 bits or more that its `kid` names, or when two have the same `kid`. A
 * refused start is better than tokens that cannot be verified (design 6.21).
 */
export async function openKeyRing(records: readonly SigningKeyRecord[], sealer: Sealer): Promise<KeyRing> {
  const newestFirst = records.toSorted(
    (a, b) =>
      b.activates_at.getTime() - a.activates_at.getTime() ||
      b.created_at.getTime() - a.created_at.getTime() ||
      (a.id < b.id ? 1 : -1),
  );
  const entries = await Promise.all(
    newestFirst.map(async (record) => ({ record, key: await openSigningKey(record, sealer) })),
  );
  const byKid = new Map(entries.map(({ key }) => [key.kid, key]));
  if (byKid.size < entries.length) throw new Error("two signing keys have the same kid");

  const published = (now: Date) => entries.filter(({ record }) => !isPast(record.expires_at, now));

  return {
    signingKey(now) {
      const usable = published(now);
      const started = usable.filter(({ record }) => record.activates_at <= now);
      const chosen =
        started.find(({ record }) => !isPast(record.retires_at, now)) ??
        usable.findLast(({ record }) => record.activates_at > now) ??
        started[0];
      if (!chosen) throw new Error("there is no signing key; make one with `postern keys rotate`");
      return chosen.key;
    },
    published(now) {
      return published(now).map(({ key }) => key);
    },
    jwks(now) {
      return {
        keys: published(now).map(({ key: { kid, public_jwk } }) => ({
          kty: public_jwk.kty,
          kid,
          use: "sig",
          alg: "RS256",
          n: public_jwk.n,
          e: public_jwk.e,
        })),
      };
    },
    find(kid) {
      return byKid.get(kid);
    },
  };
}

async function openSigningKey(record: SigningKeyRecord, sealer: Sealer): Promise<SigningKey> {
  const { id, kid } = record;
  const privateKey = createPrivateKey(sealer.open("signing_key", record.private_key_sealed, id));
  const bits = privateKey.asymmetricKeyType === "rsa" && privateKey.asymmetricKeyDetails?.modulusLength;
  if (!bits || bits < fewestBits)
    throw new Error(`signing key ${id} is not an RSA key of ${fewestBits} bits or more`);
  const publicKey = createPublicKey(privateKey);
  // Taken from the private key and not from the row, so that the published key always verifies the
  // signatures.
  const public_jwk = publicJwkOf(publicKey);
  if ((await calculateJwkThumbprint(public_jwk, "sha256")) !== kid) {
    throw new Error(`signing key ${id} is not the key that its kid names`);
  }
  return {
    kid,
    public_jwk,
    privateKey,
    publicKey,
    headers: { "at+jwt": headerText("at+jwt", kid), JWT: headerText("JWT", kid) },
  };
}

function publicJwkOf(publicKey: KeyObject): RsaPublicJwk {
  const { n, e } = publicKey.export({ format: "jwk" });
  if (n === undefined || e === undefined) throw new TypeError("not an RSA key");
  return { kty: "RSA", n, e };
}

function headerText(typ: JwtType, kid: string): string {
  return `${Buffer.from(JSON.stringify({ alg: "RS256", typ, kid })).toString("base64url")}.`;
}

function isPast(moment: Date | null, now: Date): boolean {
  return moment !== null && moment <= now;
}
