/** Parses, verifies and wraps password hashes of other programs (MG-1 to MG-5). */
import { composedPassword, formsOf } from "../hashing/composed_password.ts";
import { argon2Readers } from "./argon2.ts";
import { bcryptReaders } from "./bcrypt.ts";
import { cryptReaders } from "./crypt.ts";
import { digestReaders } from "./digests.ts";
import { type ForeignHash, ForeignHashError, fieldsOf, unpadded } from "./foreign_hash.ts";
import { keycloakReaders } from "./keycloak.ts";
import { pbkdf2Readers } from "./pbkdf2.ts";
import { scryptReaders } from "./scrypt.ts";

const readers = [
  ...bcryptReaders,
  ...pbkdf2Readers,
  ...scryptReaders,
  ...argon2Readers,
  ...cryptReaders,
  ...digestReaders,
  ...keycloakReaders,
];

type WeakHash = ForeignHash & Required<Pick<ForeignHash, "fast">>;

const longestText = 4096;

const innerMark = "$inner=";

/**
 * Parses a password hash in any supported format (docs/decisions/passwords.md). Throws a ForeignHashError if
 * it is unknown, malformed or too expensive.
 */
export function readForeignHash(text: string): ForeignHash {
  if (text.length > longestText)
    throw new ForeignHashError(undefined, "the text", 0, `has more than ${longestText} characters`);
  const place = text.indexOf(innerMark);
  if (place >= 0) return readWrapped(text, place);
  const reader = readers.find(({ prefix }) => text.startsWith(prefix));
  if (reader === undefined) throw new ForeignHashError(undefined, "the beginning", 0, "is not known");
  return reader.read(fieldsOf(reader.scheme, text, reader.passed ?? reader.prefix.length));
}

export function findForeignHash(text: string): ForeignHash | undefined {
  try {
    return readForeignHash(text);
  } catch (error) {
    if (error instanceof ForeignHashError) return undefined;
    throw error;
  }
}

function readWrapped(text: string, place: number): ForeignHash {
  const outer = readForeignHash(text.slice(0, place));
  const fields = fieldsOf("wrapped", text, place + innerMark.length);
  if (outer.scheme !== "argon2id") fields.refuse("the outer hash", "is not Argon2id", 0);
  const blank = fields.base64("the inner hash", { least: 1, most: longestText }).toString();
  const inner = findForeignHash(blank);
  // Wrapping protects a weak hash only if the string no longer contains its digest, but zeros instead.
  if (inner === undefined || !isWeak(inner) || inner.fast.blank !== blank)
    return fields.refuse("the inner hash", "is not a weak scheme with its digest removed");
  fields.end();
  return wrapped(outer, inner);
}

/** Returns the text to which Argon2id is applied: the digest of the weak hash in base64. */
export const insideOf = unpadded;

/**
 * Returns the Argon2id hash in `text` if it wraps a hash that equals this weak hash except for the digest.
 * Undefined for any other string.
 */
export function outerOfWrapped(text: string, { fast }: WeakHash): string | undefined {
  const end = innerMark + unpadded(Buffer.from(fast.blank));
  return text.endsWith(end) ? text.slice(0, -end.length) : undefined;
}

function wrapped(outer: ForeignHash, { scheme, fast, ...inner }: WeakHash): ForeignHash {
  return {
    ...inner,
    scheme: `argon2id of ${scheme}`,
    text: outer.text + innerMark + unpadded(Buffer.from(fast.blank)),
    matches: async (password) => outer.matches(Buffer.from(insideOf(await fast.derive(password)))),
  };
}

/**
 * Returns whether the hash matches the password in NFC or, if that differs, as typed. For hashes of C
 * programs, also compares the password up to its first NUL. Call it through `PasswordHasher.verify`, which
 * limits concurrency.
 */
export async function verifyForeignHash(hash: ForeignHash, password: string): Promise<boolean> {
  for (const form of formsOf(password)) {
    if (await hash.matches(form)) return true;
    const end = form.indexOf(0);
    if (hash.ends_at_nul && end >= 0 && (await hash.matches(form.subarray(0, end)))) return true;
  }
  return false;
}

/**
 * Returns whether the hash ignores the end of this password, so that the user should choose a new one (MG-5).
 */
export function isCutShort(hash: ForeignHash, password: string): boolean {
  const bytes = Buffer.from(composedPassword(password));
  const isTooLong = hash.longest !== undefined && bytes.length > hash.longest;
  return isTooLong || (hash.ends_at_nul === true && bytes.includes(0));
}

/** Returns whether the hash is weak: a guess needs fewer than 5,000 digests. */
export const isWeak = (hash: ForeignHash): hash is WeakHash => hash.fast !== undefined;

export const isFromWeak = (hash: ForeignHash): boolean => isWeak(hash) || hash.text.includes(innerMark);

/** Returns the weak hash wrapped in an Argon2id hash, so that an attacker must break Argon2id (MG-4). */
export async function wrapWeak(
  weak: WeakHash,
  hash: (text: string) => Promise<string>,
): Promise<ForeignHash> {
  return wrapped(readForeignHash(await hash(insideOf(weak.fast.output))), weak);
}
