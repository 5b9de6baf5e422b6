import { passwordError } from "../../crypto/password_rules.ts";
import { isArgon2id } from "../../crypto/passwords.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import type { AdminContext } from "../access/actor.ts";
import { hashingCaller } from "../access/hashing_caller.ts";

/** A new password: its text, or a hash that was made elsewhere. */
export type PasswordInput = string | { readonly argon2id: string };

/**
 * Forms of hashes that other systems store: crypt(3) and PHC strings, schemes of LDAP (RFC 3112), and those of
 * Django, Werkzeug and MySQL.
 */
const hashForms = [
  /^\$(?:[1567y]|2[abxy]?|gy|md5|sm3|sha1|apr1|argon2(?:id|i|d)|scrypt|s0|bcrypt-sha256|pbkdf2(?:-sha(?:1|256|512))?|P|H)\$\S{8,}$/,
  /^\{(?:S?(?:MD5|SHA(?:1|224|256|384|512)?)|CRYPT|PBKDF2(?:[-_]SHA\d+)?|ARGON2|BCRYPT|NOOP)\}\S{8,}$/i,
  /^(?:pbkdf2_sha(?:1|256)|pbkdf2:sha\d+(?::\d+)?|scrypt(?::\d+){3}|bcrypt(?:_sha256)?|argon2)\$\S{20,}$/,
  /^\*[0-9A-F]{40}$/,
];

/** Whether a text is the hash of a password rather than one: a reader of an old dump would sign in with it. */
export const isHash = (text: string) => hashForms.some((form) => form.test(text));

/** Why a password cannot be set, without quoting it; undefined when it can (L-11, L-13). */
export function passwordInputError(value: unknown): Reason | undefined {
  if (typeof value === "string") return isHash(value) ? reason("password_is_hash") : passwordError(value);
  if (!isObject(value)) return reason("not_string");
  const { argon2id, ...more } = value;
  return typeof argon2id === "string" && Object.keys(more).length === 0 && isArgon2id(argon2id)
    ? undefined
    : reason("not_password");
}

/** The hash to store of a password that has no fault. */
export async function passwordHash(
  value: PasswordInput,
  { passwords, actor }: Pick<AdminContext, "passwords" | "actor">,
): Promise<string> {
  return typeof value === "string"
    ? passwords.hash(value, "management", hashingCaller(actor))
    : value.argon2id;
}
