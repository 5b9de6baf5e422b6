/**
 * Signs with a PKCS #11 token (OASIS, version 2.40), such as a hardware module or SoftHSM. The operator
 * installs the package `pkcs11js` (docs/decisions/keys-and-signatures.md).
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { OutsideSigner } from "../../crypto/outside_signer.ts";
import type { SigningAlgorithm, SigningPublicJwk } from "../../crypto/signing_algorithms.ts";
import { perKey } from "../../lazily.ts";

export interface Pkcs11Settings {
  readonly module_path: string;
  readonly token: string;
  readonly pin_file: string;
}

type Handle = Buffer;
type Attribute = { readonly type: number; readonly value?: Buffer | number | boolean | string };
type Mechanism = { readonly mechanism: number; readonly parameter?: unknown };

interface Cryptoki {
  load(path: string): void;
  C_Initialize(options: { readonly flags: number }): void;
  C_Finalize(): void;
  C_GetSlotList(tokenPresent: boolean): Handle[];
  C_GetTokenInfo(slot: Handle): { readonly label: string };
  C_OpenSession(slot: Handle, flags: number): Handle;
  C_CloseSession(session: Handle): void;
  C_Login(session: Handle, user: number, pin: string): void;
  C_FindObjectsInit(session: Handle, template: readonly Attribute[]): void;
  C_FindObjects(session: Handle, most: number): Handle[];
  C_FindObjectsFinal(session: Handle): void;
  C_GetAttributeValue(
    session: Handle,
    object: Handle,
    template: readonly Attribute[],
  ): { readonly value: Buffer }[];
  C_GenerateKeyPairAsync(
    session: Handle,
    mechanism: Mechanism,
    publicTemplate: readonly Attribute[],
    privateTemplate: readonly Attribute[],
  ): Promise<{ readonly publicKey: Handle; readonly privateKey: Handle }>;
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void;
  C_SignAsync(session: Handle, input: Buffer, output: Buffer): Promise<Buffer>;
}

const ck = {
  os_locking: 2,
  rw_session: 2,
  serial_session: 4,
  user: 1,
  class: 0x0,
  token: 0x1,
  private: 0x2,
  label: 0x3,
  id: 0x102,
  sensitive: 0x103,
  sign: 0x108,
  verify: 0x10a,
  modulus: 0x120,
  modulus_bits: 0x121,
  public_exponent: 0x122,
  extractable: 0x162,
  ec_params: 0x180,
  ec_point: 0x181,
  private_key: 3,
  public_key: 2,
  rsa_generation: 0x0,
  ec_generation: 0x1040,
  edwards_generation: 0x1055,
  sha256_rsa: 0x40,
  sha256_rsa_pss: 0x43,
  sha256: 0x250,
  mgf1_sha256: 2,
  /** This number is defined by `pkcs11js`, not by PKCS #11. */
  pss_parameters: 5,
  ecdsa: 0x1041,
  eddsa: 0x1057,
} as const;

/** Curves as DER: P-256 as an object identifier, Ed25519 as the printable string that SoftHSM expects. */
const curves = {
  ES256: Buffer.from("06082a8648ce3d030107", "hex"),
  EdDSA: Buffer.from("130c656477617264733235353139", "hex"),
} as const;

const rsaBits = 2048;
const longestSignature = 1024;

const generations: Readonly<Record<SigningAlgorithm, { mechanism: number; template: readonly Attribute[] }>> =
  {
    RS256: rsaGeneration(),
    PS256: rsaGeneration(),
    ES256: {
      mechanism: ck.ec_generation,
      template: [{ type: ck.ec_params, value: curves.ES256 }],
    },
    EdDSA: {
      mechanism: ck.edwards_generation,
      template: [{ type: ck.ec_params, value: curves.EdDSA }],
    },
  };

function rsaGeneration() {
  return {
    mechanism: ck.rsa_generation,
    template: [
      { type: ck.modulus_bits, value: rsaBits },
      { type: ck.public_exponent, value: Buffer.from([1, 0, 1]) },
    ],
  };
}

const mechanisms: Readonly<Record<SigningAlgorithm, Mechanism>> = {
  RS256: { mechanism: ck.sha256_rsa },
  PS256: {
    mechanism: ck.sha256_rsa_pss,
    // The salt has the length of the hash (RFC 7518, section 3.5).
    parameter: { type: ck.pss_parameters, hashAlg: ck.sha256, mgf: ck.mgf1_sha256, saltLen: 32 },
  },
  ES256: { mechanism: ck.ecdsa },
  EdDSA: { mechanism: ck.eddsa },
};

function loadPackage(): Cryptoki {
  const require = createRequire(import.meta.url);
  try {
    const { PKCS11 } = require("pkcs11js") as { PKCS11: new () => Cryptoki };
    return new PKCS11();
  } catch (cause) {
    throw new Error("POSTERN_SIGNER needs the package pkcs11js: npm install --no-save pkcs11js@2.1.7", {
      cause,
    });
  }
}

/** A PKCS #11 library has one state per process, so it is opened once and never closed (section 5.4). */
const openLibrary = perKey((path: string): Cryptoki => {
  const cryptoki = loadPackage();
  cryptoki.load(path);
  // Signatures run concurrently in the thread pool, so the library must use locks.
  cryptoki.C_Initialize({ flags: ck.os_locking });
  return cryptoki;
});

/** Opens the token and logs in with the PIN. */
export function pkcs11Signer({ module_path, token, pin_file }: Pkcs11Settings): OutsideSigner {
  const cryptoki = openLibrary(module_path);
  const slot = cryptoki
    .C_GetSlotList(true)
    .find((each) => cryptoki.C_GetTokenInfo(each).label.trim() === token);
  if (slot === undefined) throw new Error(`POSTERN_SIGNER: there is no token with the label ${token}`);
  const newSession = () => cryptoki.C_OpenSession(slot, ck.rw_session | ck.serial_session);
  const free: Handle[] = [newSession()];
  const [first] = free as [Handle];
  try {
    cryptoki.C_Login(first, ck.user, readFileSync(pin_file, "utf8").trim());
  } catch (error) {
    if (!/ALREADY_LOGGED_IN/.test(String(error))) throw error;
  }
  const keys = new Map<string, Handle>();

  /**
   * A PKCS #11 session runs one operation at a time. After a failure, its state is unknown, so it is not
   * reused.
   */
  async function inSession<R>(work: (session: Handle) => Promise<R>): Promise<R> {
    const session = free.pop() ?? newSession();
    try {
      const done = await work(session);
      free.push(session);
      return done;
    } catch (error) {
      keys.clear();
      // Closing the last session would end the login, so a new one is opened first.
      if (free.length === 0) free.push(newSession());
      cryptoki.C_CloseSession(session);
      throw error;
    }
  }

  function privateKey(session: Handle, reference: string): Handle {
    const known = keys.get(reference);
    if (known !== undefined) return known;
    const id = Buffer.from(reference, "hex");
    cryptoki.C_FindObjectsInit(session, [
      { type: ck.class, value: ck.private_key },
      { type: ck.id, value: id },
    ]);
    const [found] = cryptoki.C_FindObjects(session, 1);
    cryptoki.C_FindObjectsFinal(session);
    if (found === undefined) throw new Error("the token has no such key");
    keys.set(reference, found);
    return found;
  }

  return {
    generate: (algorithm) =>
      inSession(async (session) => {
        const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
        const both = [
          { type: ck.token, value: true },
          { type: ck.id, value: id },
          { type: ck.label, value: `postern ${algorithm}` },
        ];
        const { mechanism, template } = generations[algorithm];
        const made = await cryptoki.C_GenerateKeyPairAsync(
          session,
          { mechanism },
          [...both, { type: ck.verify, value: true }, ...template],
          [
            ...both,
            { type: ck.private, value: true },
            { type: ck.sensitive, value: true },
            { type: ck.extractable, value: false },
            { type: ck.sign, value: true },
          ],
        );
        const attributes = algorithm.endsWith("S256") && algorithm !== "ES256" ? rsaMembers : pointMembers;
        const values = cryptoki
          .C_GetAttributeValue(
            session,
            made.publicKey,
            attributes.map((type) => ({ type })),
          )
          .map(({ value }) => value);
        return { reference: id.toString("hex"), public_jwk: jwkOf(algorithm, values) };
      }),

    sign: (reference, algorithm, input) =>
      inSession(async (session) => {
        const data =
          algorithm === "ES256"
            ? Buffer.from(await crypto.subtle.digest("SHA-256", Uint8Array.from(input)))
            : input;
        cryptoki.C_SignInit(session, mechanisms[algorithm], privateKey(session, reference));
        const output = Buffer.alloc(longestSignature);
        const { length } = await cryptoki.C_SignAsync(session, data, output);
        // Referring to both buffers here keeps them in memory: the package holds no references to them while
        // its thread uses them.
        return data.length > 0 ? output.subarray(0, length) : output;
      }),

    async close() {
      for (const session of free.splice(0)) cryptoki.C_CloseSession(session);
    },
  };
}

const rsaMembers = [ck.modulus, ck.public_exponent];
const pointMembers = [ck.ec_point];

function jwkOf(algorithm: SigningAlgorithm, values: readonly Buffer[]): SigningPublicJwk {
  const [one = Buffer.alloc(0), two = Buffer.alloc(0)] = values;
  const text = (bytes: Buffer) => bytes.toString("base64url");
  if (algorithm === "RS256" || algorithm === "PS256") return { kty: "RSA", n: text(one), e: text(two) };
  // Skips the tag and the one-byte length of the DER OCTET STRING.
  const point = one.subarray(2);
  if (algorithm === "EdDSA") return { kty: "OKP", crv: "Ed25519", x: text(point) };
  return { kty: "EC", crv: "P-256", x: text(point.subarray(1, 33)), y: text(point.subarray(33, 65)) };
}
