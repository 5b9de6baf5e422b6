/** Signs with `node:crypto` only, for the floor. */
import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { promisify } from "node:util";
import type { Algorithm } from "../algorithms.ts";

export interface Key {
  /** Signs a JWT (RFC 7519). Slow algorithms run in the thread pool, as Node intends. */
  readonly sign: (typ: string, claims: object) => Promise<string> | string;
}

const signInPool = promisify<string, Buffer, KeyObject, Buffer>(sign);

/** Generates keys, and the document with their public parts (RFC 7517). */
export function floorKeys(): { readonly by: Readonly<Record<Algorithm, Key>>; readonly document: string } {
  const made = {
    RS256: generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
    ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
    EdDSA: generateKeyPairSync("ed25519").privateKey,
  };
  const signed = {
    RS256: (data: Buffer) => signInPool("sha256", data, made.RS256),
    ES256: (data: Buffer) => sign("sha256", data, { key: made.ES256, dsaEncoding: "ieee-p1363" }),
    EdDSA: (data: Buffer) => sign(null, data, made.EdDSA),
  };
  const published = Object.entries(made).map(([alg, key]) => ({
    ...createPublicKey(key).export({ format: "jwk" }),
    kid: alg,
    alg,
    use: "sig",
  }));
  return {
    by: {
      RS256: keyOf("RS256", signed.RS256),
      ES256: keyOf("ES256", signed.ES256),
      EdDSA: keyOf("EdDSA", signed.EdDSA),
    },
    document: JSON.stringify({ keys: published }),
  };
}

function keyOf(alg: Algorithm, signature: (data: Buffer) => Promise<Buffer> | Buffer): Key {
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const headers = new Map(["at+jwt", "JWT"].map((typ) => [typ, encoded({ alg, typ, kid: alg })]));
  return {
    sign(typ, claims) {
      const data = `${headers.get(typ)}.${encoded(claims)}`;
      const signed = signature(Buffer.from(data));
      return signed instanceof Promise
        ? signed.then((bytes) => `${data}.${bytes.toString("base64url")}`)
        : `${data}.${signed.toString("base64url")}`;
    },
  };
}
