import { timingSafeEqual } from "node:crypto";

/** A password hash that another program created, parsed and checked against the cost limits. */
export interface ForeignHash {
  /** A name from a fixed list, so it may be logged. */
  readonly scheme: string;
  /** The hash in canonical form, as it is stored. Sensitive. */
  readonly text: string;
  /** `password` is in UTF-8. Compares in constant time and does not block the event loop. */
  matches(password: Buffer): Promise<boolean>;
  /** The number of password bytes after which the scheme ignores the rest; undefined if it uses all. */
  readonly longest?: number;
  /** True if C programs create such hashes: they end a password at its first NUL. */
  readonly ends_at_nul?: boolean;
  readonly fast?: FastHash;
}

interface FastHash {
  /** The canonical form of the hash, with zeros in place of the digest. */
  readonly blank: string;
  readonly output: Buffer;
  derive(password: Buffer): Promise<Buffer>;
}

/** Schemes with fewer digests per guess count as weak. SHA-crypt uses 5,000 rounds by default. */
const strongDigests = 5000;

/** Returns a ForeignHash that derives bytes from the password and compares them with `output`. */
export function derivedHash(hash: {
  readonly scheme: string;
  /** The number of digests per guess; undefined if the scheme is slow for another reason. */
  readonly digests?: number;
  readonly spell: (written: string) => string;
  readonly output: Buffer;
  /** The hash in the scheme's own alphabet, in which a dot means zero; undefined for base64. */
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

/** A string is not a supported password hash. The message quotes nothing from the hash. */
export class ForeignHashError extends Error {
  readonly scheme: string | undefined;
  readonly part: string;
  /**
   * The byte offset of the part in the string. For a hash inside JSON, it is the offset in the JSON field
   * `part`.
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

/**
 * Sizes in bytes. A wrong password could match a shorter output by chance. Longer outputs and salts would
 * take too long to hash.
 */
export const outputSize: Size = { least: 16, most: 128 };
export const saltSize: Size = { least: 0, most: 256 };

/** Returns a parser that reads the parts of a hash from left to right. */
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
    /** passlib writes a dot instead of a plus. */
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
  readonly passed?: number;
  readonly scheme: string;
  read(fields: Fields): ForeignHash;
}
