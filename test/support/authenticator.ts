/**
 * A software authenticator (WebAuthn section 6), independent of the library that verifies: it creates what a
 * browser would post or, on request, a deviation from it with a valid signature.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

export type AuthenticatorAlgorithm = "ES256" | "EdDSA" | "RS256";

/** The flags of the authenticator data (WebAuthn section 6.1). */
export const flag = { up: 1, uv: 4, be: 8, bs: 16, at: 64, ed: 128 } as const;

type Cbor = number | string | Uint8Array | ReadonlyMap<number | string, Cbor>;

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value);
  if (value < 256) return Buffer.of((major << 5) | 24, value);
  return Buffer.of((major << 5) | 25, value >> 8, value & 255);
}

/**
 * The subset of CBOR (RFC 8949) that authenticators write: integers of up to 16 bits, texts, bytes and maps.
 */
export function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    const bytes = Buffer.from(value);
    return Buffer.concat([head(3, bytes.length), bytes]);
  }
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const members = [...value].flatMap(([key, member]) => [cbor(key), cbor(member)]);
  return Buffer.concat([head(5, value.size), ...members]);
}

const makers: Readonly<
  Record<AuthenticatorAlgorithm, () => { publicKey: KeyObject; privateKey: KeyObject }>
> = {
  ES256: () => generateKeyPairSync("ec", { namedCurve: "P-256" }),
  EdDSA: () => generateKeyPairSync("ed25519"),
  RS256: () => generateKeyPairSync("rsa", { modulusLength: 2048 }),
};

/** The members of a COSE key (RFC 9053 section 7, RFC 8230 section 4) by their labels. */
export function coseKey(algorithm: AuthenticatorAlgorithm, publicKey: KeyObject): Map<number, Cbor> {
  const jwk = publicKey.export({ format: "jwk" });
  const bytes = (member: "x" | "y" | "n" | "e") => Buffer.from(jwk[member] ?? "", "base64url");
  const entries: Readonly<Record<AuthenticatorAlgorithm, () => [number, Cbor][]>> = {
    ES256: () => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes("x")],
      [-3, bytes("y")],
    ],
    EdDSA: () => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes("x")],
    ],
    RS256: () => [
      [1, 3],
      [3, -257],
      [-1, bytes("n")],
      [-2, bytes("e")],
    ],
  };
  return new Map(entries[algorithm]());
}

export interface AuthenticatorOptions {
  readonly rp_id: string;
  readonly origin: string;
  readonly algorithm?: AuthenticatorAlgorithm;
  /** Whether the passkey may be copied, and has been. */
  readonly synced?: boolean;
  /** Whether it verifies the user. */
  readonly uv?: boolean;
  /** Base64url of 32 bytes. */
  readonly user_handle?: string;
}

/** Changes of the correct answer, made before it is signed. */
export interface Changes {
  readonly client_data?: Readonly<Record<string, unknown>>;
  readonly rp_id?: string;
  /** The bits of the flags to flip. */
  readonly flags?: number;
  readonly counter?: number;
  /** Extension data; it also sets the flag `ed`. */
  readonly extensions?: ReadonlyMap<string, Cbor>;
  /** Bytes after the authenticator data. */
  readonly trailing?: Uint8Array;
  readonly public_key?: ReadonlyMap<number, Cbor>;
  readonly credential_id?: Uint8Array;
  /** Whether an assertion contains the key, as a registration does. */
  readonly with_key?: boolean;
  readonly format?: string;
  readonly statement?: ReadonlyMap<string, Cbor>;
  /** Signs with the passkey's key in a `packed` statement, as self attestation does. */
  readonly self_attested?: boolean;
}

const sha256 = (value: string | Uint8Array) => createHash("sha256").update(value).digest();

/** The answer that a page posts: `PublicKeyCredential.toJSON()`. */
export interface AnswerJson {
  id: string;
  rawId: string;
  type: string;
  response: Record<string, unknown>;
  [member: string]: unknown;
}

/** Creates an authenticator with one passkey. */
export function softwareAuthenticator({
  rp_id,
  origin,
  algorithm = "ES256",
  synced = false,
  uv = true,
  user_handle = randomBytes(32).toString("base64url"),
}: AuthenticatorOptions) {
  const { publicKey, privateKey } = makers[algorithm]();
  const credential_id = randomBytes(32);
  let counter = 0;

  const signed = (bytes: Uint8Array) => sign(algorithm === "EdDSA" ? null : "sha256", bytes, privateKey);

  const clientData = (type: string, challenge: string, changes: Changes) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...changes.client_data }));

  function attestedData(id: Uint8Array, changes: Changes): Buffer {
    const key = cbor(changes.public_key ?? coseKey(algorithm, publicKey));
    return Buffer.concat([Buffer.alloc(16), Buffer.of(id.length >> 8, id.length & 255), id, key]);
  }

  function authenticatorData(attested: Uint8Array, changes: Changes): Buffer {
    const usual = flag.up | (uv ? flag.uv : 0) | (synced ? flag.be | flag.bs : 0);
    const parts = (attested.length ? flag.at : 0) | (changes.extensions ? flag.ed : 0);
    const count = Buffer.alloc(4);
    // Passkeys that may be copied have no counter (WebAuthn section 6.1.1).
    count.writeUInt32BE(changes.counter ?? (synced ? 0 : ++counter));
    return Buffer.concat([
      sha256(changes.rp_id ?? rp_id),
      Buffer.of((usual | parts) ^ (changes.flags ?? 0)),
      count,
      attested,
      changes.extensions ? cbor(changes.extensions) : Buffer.alloc(0),
      changes.trailing ?? Buffer.alloc(0),
    ]);
  }

  function answer(id: Uint8Array, response: Record<string, unknown>): AnswerJson {
    const text = Buffer.from(id).toString("base64url");
    const about = { authenticatorAttachment: "platform", clientExtensionResults: {} };
    return { id: text, rawId: text, type: "public-key", ...about, response };
  }

  return {
    user_handle,
    credential_id: credential_id.toString("base64url"),
    publicKey,

    /** Returns the answer to `navigator.credentials.create()`. */
    register(challenge: string, changes: Changes = {}): AnswerJson {
      const id = changes.credential_id ?? credential_id;
      const data = authenticatorData(attestedData(id, changes), changes);
      const client_data = clientData("webauthn.create", challenge, changes);
      const self = new Map<string, Cbor>([
        ["alg", Number(coseKey(algorithm, publicKey).get(3))],
        ["sig", signed(Buffer.concat([data, sha256(client_data)]))],
      ]);
      const object = new Map<string, Cbor>([
        ["fmt", changes.format ?? (changes.self_attested ? "packed" : "none")],
        ["attStmt", changes.statement ?? (changes.self_attested ? self : new Map())],
        ["authData", data],
      ]);
      return answer(id, {
        clientDataJSON: client_data.toString("base64url"),
        attestationObject: cbor(object).toString("base64url"),
        transports: ["internal", "hybrid"],
      });
    },

    /** Returns the answer to `navigator.credentials.get()`. */
    assert(challenge: string, changes: Changes = {}): AnswerJson {
      const attested = changes.with_key ? attestedData(credential_id, changes) : Buffer.alloc(0);
      const data = authenticatorData(attested, changes);
      const client_data = clientData("webauthn.get", challenge, changes);
      return answer(changes.credential_id ?? credential_id, {
        clientDataJSON: client_data.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: signed(Buffer.concat([data, sha256(client_data)])).toString("base64url"),
        userHandle: user_handle,
      });
    },
  };
}
