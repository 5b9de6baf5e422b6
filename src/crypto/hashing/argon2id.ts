import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { createRequire } from "node:module";
import { once } from "../../lazily.ts";

/**
 * Argon2 parameters as in PHC strings: KiB of memory (`m`), passes (`t`) and lanes (`p`) (RFC 9106, section
 * 3.1).
 */
export interface Argon2Parameters {
  readonly m: number;
  readonly t: number;
  readonly p: number;
}

/** New hashes are `id`; imported ones may be of any type. */
export type Argon2Type = "i" | "d" | "id";

export interface Argon2Hash extends Argon2Parameters {
  readonly type: Argon2Type;
  /** The Argon2 version: 19 is 1.3 (RFC 9106), and 16 is 1.0. */
  readonly version: 16 | 19;
  readonly salt: Buffer;
  readonly output: Buffer;
}

/** Hashes run in libuv's thread pool. */
export interface Argon2Engine {
  readonly name: "native" | "node";
  /** Returns a PHC string of Argon2id, version 1.3, with a random salt and a 32-byte hash. */
  hash(password: Buffer, parameters: Argon2Parameters): Promise<string>;
  verify(phc: string, password: Buffer): Promise<boolean>;
}

export const saltBytes = 16;
export const hashBytes = 32;

/** Matches no PHC strings with `keyid` or `data`, because this server has no such keys or data. */
const phcShape =
  /^\$argon2(id|i|d)\$(?:v=(16|19)\$)?m=(\d{1,10}),t=(\d{1,10}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** The most expensive accepted hash takes about half a second on one core. */
const highest = { m: 262_144, memoryPasses: 1_048_576, p: 16 };

export const isAffordable = ({ m, t, p }: Argon2Parameters): boolean =>
  m <= highest.m && m * t <= highest.memoryPasses && p <= highest.p;

/**
 * Returns the parts of an Argon2id PHC string; undefined if it is malformed or its parameters are invalid
 * (RFC 9106).
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
  // Rejects base64 with unused bits set, because otherwise several strings would denote one hash.
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
 * The Argon2 implementation of Node.js, three times as slow as the native package. It cannot verify hashes of
 * Argon2 1.0, for which `verify` returns false.
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

/**
 * The value of `Algorithm.Argon2id` in `@node-rs/argon2`, an ambient `const enum` that cannot be imported.
 */
const argon2id = 2;

/** Returns the native Argon2 package; undefined if this optional dependency is not installed. */
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
