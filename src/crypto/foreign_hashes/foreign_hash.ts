import { timingSafeEqual } from "node:crypto";

/** A parsed hash, well formed and within the cost limits. */
export interface ForeignHash {
  /** The name of the scheme, one of a fixed list, so it may be logged and counted. */
  readonly scheme: string;
  /** The canonical string, which is stored and parses back to the same hash. Sensitive. */
  readonly text: string;
  /** Returns whether the hash matches these UTF-8 bytes. Compares in constant time, off the event loop. */
  matches(password: Buffer): Promise<boolean>;
  /** How many bytes of the password the scheme reads, if it ignores the rest. */
  readonly longest?: number;
  /** Set if C programs create these hashes, and therefore end a password at its first NUL. */
  readonly ends_at_nul?: boolean;
  readonly fast?: FastHash;
}

interface FastHash {
  /** The canonical string with zeros in place of the hash. */
  readonly blank: string;
  readonly output: Buffer;
  derive(password: Buffer): Promise<Buffer>;
}

/** SHA-crypt has 5000 rounds by default. */
const strongDigests = 5000;

/**
 * Returns a hash that is verified by deriving bytes from the password and comparing them with the stored
 * ones.
 */
export function derivedHash(hash: {
  readonly scheme: string;
  /** The number of digests per guess; undefined for a scheme that is slow for another reason. */
  readonly digests?: number;
  readonly spell: (written: string) => string;
  readonly output: Buffer;
  /**
   * The hash as encoded in the string, for a scheme with its own alphabet, in which a dot means zero. Without
   * it, the hash is encoded in base64.
   */
  readonly written?: string;
  readonly derive: (password: Buffer) => Promise<Buffer>;
  readonly longest?: number;
  readonly ends_at_nul?: boolean;
}): ForeignHash {
  const { scheme, digests = strongDigests, spell, output, written, derive, ...cuts } = hash;
  const text = written ?? unpadded(output);
  const fast = { blank: spell((written === undefined ? "A" : ".").repeat(text.length)), output, derive };
  return {
    scheme,
    text: spell(text),
    matches: async (password) => {
      const found = await derive(password);
      return found.length === output.length && timingSafeEqual(found, output);
    },
    ...cuts,
    ...(digests < strongDigests ? { fast } : {}),
  };
}

export const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/**
 * A string is not a supported hash. The message names the scheme, the part and the byte offset, and quotes
 * nothing from the hash.
 */
export class ForeignHashError extends Error {
  readonly scheme: string | undefined;
  readonly part: string;
  /**
   * Byte offset of the part in UTF-8: from the start of the string or, for a part inside JSON, from the start
   * of the JSON field `part`.
   */
  readonly at: number;
  readonly reason: string;

  constructor(scheme: string | undefined, part: string, at: number, reason: string) {
    super(`${scheme ?? "no known scheme"}: ${part} at byte ${at} ${reason}`);
    this.name = "ForeignHashError";
    this.scheme = scheme;
    this.part = part;
    this.at = at;
    this.reason = reason;
  }
}

interface Size {
  readonly least: number;
  readonly most: number;
}

/** Sizes in bytes. A shorter hash could be guessed, and a longer one would exceed the cost limit. */
export const outputSize: Size = { least: 16, most: 128 };
export const saltSize: Size = { least: 0, most: 256 };

/** Parses a string from left to right. Errors are ForeignHashErrors with their position. */
export function fieldsOf(scheme: string, text: string, start = 0) {
  let at = start;
  let began = start;

  function refuse(part: string, reason = "is malformed", where = began): never {
    throw new ForeignHashError(scheme, part, Buffer.byteLength(text.slice(0, where)), reason);
  }

  function take(part: string, shape: RegExp): string {
    began = at;
    shape.lastIndex = at;
    const [found] = shape.exec(text) ?? refuse(part);
    at += found.length;
    return found;
  }

  function sized(part: string, bytes: Buffer, { least, most }: Size): Buffer {
    if (bytes.length < least || bytes.length > most) refuse(part, `is not ${least} to ${most} bytes long`);
    return bytes;
  }

  return {
    scheme,
    refuse,
    take,
    skip(literal: string): boolean {
      if (!text.startsWith(literal, at)) return false;
      at += literal.length;
      return true;
    },
    expect(literal: string): void {
      if (!this.skip(literal)) refuse(`"${literal}"`, "is missing", at);
    },
    number(part: string, { least, most }: Size): number {
      const value = Number(take(part, /(?:0|[1-9]\d{0,9})(?!\d)/y));
      if (value < least || value > most) refuse(part, `is not between ${least} and ${most}`);
      return value;
    },
    /**
     * Decodes base64 in any alphabet (including passlib's, with a dot instead of the plus), with or without
     * padding.
     */
    base64(part: string, size: Size): Buffer {
      const written = take(part, /[A-Za-z0-9+/._-]*={0,2}/y)
        .replaceAll(/[.-]/g, "+")
        .replaceAll("_", "/");
      const digits = written.replace(/=+$/, "");
      const bytes = Buffer.from(digits, "base64");
      const isExact = unpadded(bytes) === digits && (written === digits || written.length % 4 === 0);
      if (!isExact) refuse(part, "is not base64");
      return sized(part, bytes, size);
    },
    hex(part: string, size: Size): Buffer {
      return sized(part, Buffer.from(take(part, /(?:[0-9a-fA-F]{2})*/y), "hex"), size);
    },
    textSalt(): Buffer {
      return sized("salt", Buffer.from(take("salt", /[^$]*/y)), saltSize);
    },
    end(part = "the end"): void {
      if (at < text.length) refuse(part, "has text after it", at);
    },
  };
}

export type Fields = ReturnType<typeof fieldsOf>;

export interface Reader {
  readonly prefix: string;
  /** The number of characters to skip before `read`. By default, this is the length of the prefix. */
  readonly passed?: number;
  readonly scheme: string;
  read(fields: Fields): ForeignHash;
}
