import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { createRequire } from "node:module";
import { once } from "../../lazily.ts";

/**
 * Argon2 cost parameters, named as in PHC strings: `m` KiB of memory, `t` passes, `p` lanes (RFC 9106,
 * section 3.1).
 */
export interface Argon2Parameters {
  readonly m: number;
  readonly t: number;
  readonly p: number;
}

/**
 * The variant after "argon2" in a PHC string. This server creates only `id`; imported hashes may use the
 * other two.
 */
export type Argon2Type = "i" | "d" | "id";

export interface Argon2Hash extends Argon2Parameters {
  readonly type: Argon2Type;
  /** 19 is Argon2 1.3 (RFC 9106); 16 is the earlier 1.0. */
  readonly version: 16 | 19;
  readonly salt: Buffer;
  readonly output: Buffer;
}

/** An implementation of Argon2. Its hashes run in libuv's thread pool. */
export interface Argon2Engine {
  readonly name: "native" | "node";
  /** Returns a PHC string of Argon2 1.3 with a fresh salt and a hash of 32 bytes. */
  hash(password: Buffer, parameters: Argon2Parameters): Promise<string>;
  /**
   * Returns whether the hash matches these bytes. `phc` is a string that `readArgon2id` accepts, but of any
   * Argon2 type.
   */
  verify(phc: string, password: Buffer): Promise<boolean>;
}

/** Sizes for new hashes, in bytes. */
export const saltBytes = 16;
export const hashBytes = 32;

/**
 * Does not match PHC strings with `keyid` or `data`, which would need values that this server does not have.
 */
const phcShape =
  /^\$argon2(id|i|d)\$(?:v=(16|19)\$)?m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Such a hash takes about half a second on one core. */
const highest = { m: 262_144, memoryPasses: 1_048_576, p: 16 };

export const isAffordable = ({ m, t, p }: Argon2Parameters): boolean =>
  m <= highest.m && m * t <= highest.memoryPasses && p <= highest.p;

/**
 * Returns the parts of an Argon2id PHC string with a salt of 8 to 64 bytes and a hash of 16 to 64. Undefined
 * for any other string, and for parameters that Argon2 does not allow (RFC 9106, section 3.1).
 */
export function readArgon2id(phc: string): Argon2Hash | undefined {
  const found = readArgon2(phc);
  return found?.type === "id" ? found : undefined;
}

function readArgon2(phc: string): Argon2Hash | undefined {
  const [, type, version, memory, passes, queues, salt64 = "", output64 = ""] = phcShape.exec(phc) ?? [];
  if (memory === undefined) return undefined;
  const [m, t, p] = [Number(memory), Number(passes), Number(queues)];
  const isKnown = t >= 1 && p >= 1 && m >= 8 * p;
  const [salt, output] = [salt64, output64].map((text) => Buffer.from(text, "base64")) as [Buffer, Buffer];
  // Rejects unused bits that are set, because otherwise one hash would have several spellings.
  const isExact = withoutPadding(salt) === salt64 && withoutPadding(output) === output64;
  if (!isKnown || !isExact) return undefined;
  // A missing version means 1.0, as in the reference implementation.
  return { type: type as Argon2Type, version: version === "19" ? 19 : 16, m, t, p, salt, output };
}

export function phcOf(
  { type = "id", version = 19, m, t, p }: Argon2Parameters & Partial<Argon2Hash>,
  salt: Buffer,
  output: Buffer,
): string {
  const cost = `v=${version}$m=${m},t=${t},p=${p}`;
  return `$argon2${type}$${cost}$${withoutPadding(salt)}$${withoutPadding(output)}`;
}

function withoutPadding(bytes: Buffer): string {
  return bytes.toString("base64").replace(/=+$/, "");
}

function derive(
  message: Buffer,
  nonce: Buffer,
  tagLength: number,
  { m, t, p, type = "id" }: Argon2Parameters & Partial<Argon2Hash>,
) {
  const parameters = { message, nonce, parallelism: p, tagLength, memory: m, passes: t };
  return new Promise<Buffer>((resolve, reject) => {
    argon2(`argon2${type}`, parameters, (error, output) => (error ? reject(error) : resolve(output)));
  });
}

/**
 * Argon2 from Node.js itself. It takes three times as long as the native package, and `verify` returns false
 * for every hash of Argon2 1.0.
 */
export const nodeArgon2: Argon2Engine = {
  name: "node",
  async hash(password, parameters) {
    const salt = randomBytes(saltBytes);
    return phcOf(parameters, salt, await derive(password, salt, hashBytes, parameters));
  },
  async verify(phc, password) {
    const found = readArgon2(phc);
    if (found?.version !== 19) return false;
    const { salt, output } = found;
    return timingSafeEqual(await derive(password, salt, output.length, found), output);
  },
};

/** The numeric value of the package's ambient `const enum Algorithm.Argon2id`. */
const argon2id = 2;

/** Returns Argon2 from the native package; undefined if it was installed without optional packages. */
export function nativeArgon2(): Argon2Engine | undefined {
  let native: typeof import("@node-rs/argon2");
  try {
    native = createRequire(import.meta.url)("@node-rs/argon2");
  } catch {
    return undefined;
  }
  return {
    name: "native",
    hash: (password, { m, t, p }) =>
      native.hash(password, {
        algorithm: argon2id,
        memoryCost: m,
        timeCost: t,
        parallelism: p,
        outputLen: hashBytes,
      }),
    verify: native.verify,
  };
}

export const argon2Engine = once((): Argon2Engine => nativeArgon2() ?? nodeArgon2);
