import { ForeignHashError } from "../../crypto/foreign_hashes/foreign_hash.ts";
import {
  insideOf,
  isWeak,
  outerOfWrapped,
  readForeignHash,
  wrapWeak,
} from "../../crypto/foreign_hashes/foreign_hashes.ts";
import type { HashingQueue } from "../../crypto/hash_pool.ts";
import { passwordError, shortestPassword } from "../../crypto/password_rules.ts";
import { isArgon2id } from "../../crypto/passwords.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import type { AdminContext } from "../access/actor.ts";
import { hashingCaller } from "../access/hashing_caller.ts";

/**
 * A new password as text, as an Argon2id hash, or as a hash from another system with any supported scheme
 * (docs/decisions/passwords.md).
 */
export type PasswordInput = string | { readonly argon2id: string } | { readonly hash: string };

/**
 * Matches the hash formats of other systems: crypt(3) and PHC strings, LDAP schemes (RFC 3112), and the
 * formats of Django, Werkzeug and MySQL.
 */
const hashForms = [
  /^\$(?:[1567y]|2[abxy]?|gy|md5|sm3|sha1|apr1|argon2(?:id|i|d)|scrypt|s0|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?|P|H)\$\S{8,}$/,
  /^\{(?:S?(?:MD5|SHA(?:1|224|256|384|512)?)|CRYPT|PBKDF2(?:[-_]SHA\d+)?|ARGON2|BCRYPT|NOOP)\}\S{8,}$/i,
  /^(?:pbkdf2_sha(?:1|256)|pbkdf2:sha\d+(?::\d+)?|scrypt(?::\d+){3}|bcrypt(?:_sha256)?|argon2)\$\S{20,}$/,
  /^\*[0-9A-F]{40}$/,
];

/**
 * Returns whether a text looks like a password hash. If a hash were accepted as a password, anyone who
 * reads an old dump could sign in with it.
 */
export const isHash = (text: string) => hashForms.some((form) => form.test(text));

/** Returns why a password cannot be set, without quoting it; undefined if it can (L-11, L-13). */
export function passwordInputError(value: unknown, shortest: number = shortestPassword): Reason | undefined {
  if (typeof value === "string")
    return isHash(value) ? reason("password_is_hash") : passwordError(value, shortest);
  if (!isObject(value)) return reason("not_string");
  const { argon2id, hash, ...more } = value;
  if (Object.keys(more).length > 0 || (argon2id === undefined) === (hash === undefined))
    return reason("not_password");
  if (hash !== undefined) return foreignHashError(hash);
  return typeof argon2id === "string" && isArgon2id(argon2id) ? undefined : reason("not_password");
}

/**
 * Returns why a text is not a foreign hash that this server verifies. The reason names only the scheme, and
 * the part and byte of the text that are wrong (MG-6).
 */
export function foreignHashError(text: unknown): Reason | undefined {
  if (typeof text !== "string") return reason("not_text");
  try {
    readForeignHash(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof ForeignHashError)) throw error;
    const { scheme = "no known scheme", part, at: byte, reason: why } = error;
    return reason("foreign_hash", { scheme, part, byte, reason: why });
  }
}

/**
 * Returns the canonical text of a hash that another program made; a weak one is wrapped in Argon2id (MG-4).
 * From then on, anonymous requests that verify hashes in the queue `asked_in` take as long as the slowest
 * known scheme, whether or not the account exists (MG-3).
 */
export async function storedForeignHash(
  text: string,
  asked_in: HashingQueue,
  { passwords, actor }: Pick<AdminContext, "passwords" | "actor">,
): Promise<string> {
  const hash = readForeignHash(text);
  const make = (inside: string) => passwords.hash(inside, "management", hashingCaller(actor));
  const stored = (isWeak(hash) ? await wrapWeak(hash, make) : hash).text;
  await passwords.learn([stored], asked_in);
  return stored;
}

export async function passwordHash(
  value: PasswordInput,
  context: Pick<AdminContext, "passwords" | "actor">,
): Promise<string> {
  if (typeof value === "string")
    return context.passwords.hash(value, "management", hashingCaller(context.actor));
  return "hash" in value ? storedForeignHash(value.hash, "sign_in", context) : value.argon2id;
}

/**
 * Returns whether the stored hash was made from this input hash. The stored hash is the canonical text of the
 * input hash or, if the input hash is weak, an Argon2id hash of that text.
 */
export async function isSameForeignHash(
  input: string,
  stored: string,
  { passwords, actor }: Pick<AdminContext, "passwords" | "actor">,
): Promise<boolean> {
  const hash = readForeignHash(input);
  if (!isWeak(hash)) return hash.text === stored;
  const outer = outerOfWrapped(stored, hash);
  return (
    outer !== undefined &&
    passwords.verify(outer, insideOf(hash.fast.output), "management", hashingCaller(actor))
  );
}
