/** Password hashes from other programs: the parsed form of each scheme. */
import { timingSafeEqual } from "node:crypto";

/** A hash that was read: well formed and within the bounds of cost. Only `readForeignHash` makes one. */
export interface ForeignHash {
  /** From a closed list, so that it may be logged and counted. */
  readonly scheme: string;
  /** The canonical text, which parses back to the same hash and is stored. Sensitive. */
  readonly text: string;
  /** Whether the hash is of these bytes of UTF-8; compared in constant time, off the event loop. */
  matches(password: Buffer): Promise<boolean>;
  /** Bytes of the password that the scheme reads, if it ignores the rest. */
  readonly longest?: number;
  /** The programs that make these hashes in C end a password at its first NUL. */
  readonly ends_at_nul?: boolean;
  /** For a weak hash: the parameters for wrapping it in Argon2id. */
  readonly fast?: FastHash;
}

interface FastHash {
  /** The canonical text with zeros in place of the hash. */
  readonly blank: string;
  readonly output: Buffer;
  derive(password: Buffer): Promise<Buffer>;
}

/** Fewer digests than these for one guess are weak; it is what SHA-crypt makes by default. */
const strongDigests = 5000;

/** A hash of a scheme that derives bytes, which are compared with those that are stored. */
export function derivedHash(hash: {
  readonly scheme: string;
  /** How many digests one guess costs; undefined for a scheme that is slow in another way. */
  readonly digests?: number;
  /** The canonical text with this text of the hash. */
  readonly spell: (written: string) => string;
  readonly output: Buffer;
  /** The hash in its canonical alphabet if that is not base64; the dot is digit zero. */
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

/** Standard base64 without padding, as PHC strings have it. */
export const unpadded = (bytes: Buffer): string => bytes.toString("base64").replace(/=+$/, "");

/** Why a text is no hash that we verify. The message names scheme, part and byte, and no text of the hash. */
export class ForeignHashError extends Error {
  /** Undefined for a text of no known scheme. */
  readonly scheme: string | undefined;
  readonly part: string;
  /** Where the part begins: bytes of UTF-8 from the start of the text, or of the member `part` of a JSON text. */
  readonly at: number;
  /** The error of the part. */
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

/** Bytes: a shorter hash would be guessed, a longer one costs more than its bound says. */
export const outputSize: Size = { least: 16, most: 128 };
export const saltSize: Size = { least: 0, most: 256 };

/** Parses a text from left to right. Errors are ForeignHashErrors with their position. */
export function fieldsOf(scheme: string, text: string, start = 0) {
  let at = start;
  /** The last field. */
  let began = start;

  function refuse(part: string, reason = "is malformed", where = began): never {
    throw new ForeignHashError(scheme, part, Buffer.byteLength(text.slice(0, where)), reason);
  }

  /** The longest match of a sticky expression. */
  function take(part: string, shape: RegExp): string {
    began = at;
    shape.lastIndex = at;
    const [found] = shape.exec(text) ?? refuse(part);
    at += found.length;
    return found;
  }

  function sized(part: string, bytes: Buffer, { least, most }: Size): Buffer {
    if (bytes.length < least || bytes.length > most) refuse(part, `is not of ${least} to ${most} bytes`);
    return bytes;
  }

  return {
    scheme,
    refuse,
    take,
    /** Whether the literal comes next; it is passed over. */
    skip(literal: string): boolean {
      if (!text.startsWith(literal, at)) return false;
      at += literal.length;
      return true;
    },
    expect(literal: string): void {
      if (!this.skip(literal)) refuse(`"${literal}"`, "is missing", at);
    },
    /** A decimal number without leading zeros. */
    number(part: string, { least, most }: Size): number {
      const value = Number(take(part, /(?:0|[1-9]\d{0,9})(?!\d)/y));
      if (value < least || value > most) refuse(part, `is not ${least} to ${most}`);
      return value;
    },
    /** Base64 of any alphabet (also that of passlib, with a point for the plus), with padding or without. */
    base64(part: string, size: Size): Buffer {
      const written = take(part, /[A-Za-z0-9+/._-]*={0,2}/y)
        .replaceAll(/[.-]/g, "+")
        .replaceAll("_", "/");
      const digits = written.replace(/=+$/, "");
      const bytes = Buffer.from(digits, "base64");
      const isExact = unpadded(bytes) === digits && (written === digits || written.length % 4 === 0);
      if (!isExact) refuse(part, "is no base64");
      return sized(part, bytes, size);
    },
    hex(part: string, size: Size): Buffer {
      return sized(part, Buffer.from(take(part, /(?:[0-9a-fA-F]{2})*/y), "hex"), size);
    },
    /** A salt that is text, up to the next `$`. */
    textSalt(): Buffer {
      return sized("salt", Buffer.from(take("salt", /[^$]*/y)), saltSize);
    },
    end(part = "the end"): void {
      if (at < text.length) refuse(part, "has text after it", at);
    },
  };
}

export type Fields = ReturnType<typeof fieldsOf>;

/** How a text begins, and what reads the rest of it. */
export interface Reader {
  readonly prefix: string;
  /** Characters that `read` skips: the prefix, unless it is part of the parsed text. */
  readonly passed?: number;
  readonly scheme: string;
  read(fields: Fields): ForeignHash;
}
