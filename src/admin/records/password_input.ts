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

/** A new password: plain text, an Argon2id hash, or a hash that another program created. */
export type PasswordInput = string | { readonly argon2id: string } | { readonly hash: string };

/**
 * Hash formats of other programs: crypt(3) and PHC strings, LDAP schemes such as `{SSHA}`, Django, Werkzeug
 * and MySQL.
 */
const hashForms = [
  /^\$(?:[1567y]|2[abxy]?|gy|md5|sm3|sha1|apr1|argon2(?:id|i|d)|scrypt|s0|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?|P|H)\$\S{8,}$/,
  /^\{(?:S?(?:MD5|SHA(?:1|224|256|384|512)?)|CRYPT|PBKDF2(?:[-_]SHA\d+)?|ARGON2|BCRYPT|NOOP)\}\S{8,}$/i,
  /^(?:pbkdf2_sha(?:1|256)|pbkdf2:sha\d+(?::\d+)?|scrypt(?::\d+){3}|bcrypt(?:_sha256)?|argon2)\$\S{20,}$/,
  /^\*[0-9A-F]{40}$/,
];

/**
 * Returns whether the text looks like a password hash. If a hash became a password, anyone who reads it in an
 * old database dump could sign in.
 */
export const isHash = (text: string) => hashForms.some((form) => form.test(text));

/**
 * Returns the reason why the value cannot become a password; undefined if it can. The reason never contains
 * the password (L-11, L-13).
 */
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
 * Returns the reason why this server cannot verify the hash; undefined if it can. The reason names the scheme
 * and the position of the error, never the hash itself (MG-6).
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
 * Returns the stored form of a hash from another program; a weak hash is wrapped in Argon2id (MG-4). Also
 * registers the hash's scheme with the queue `asked_in`. Failed attempts in this queue then take as long as
 * the slowest registered scheme, so timing does not reveal accounts (MG-3).
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

/** Returns whether `stored` was made from `input`, a hash that another program created. */
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
