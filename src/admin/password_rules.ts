import { isCommonPassword } from "../crypto/common_passwords.ts";
import { isArgon2id, type PasswordHasher } from "../crypto/passwords.ts";
import { isObject } from "./faults.ts";

/** A new password: its text, or a hash that was made elsewhere. */
export type PasswordInput = string | { readonly argon2id: string };

/** Why a password cannot be set, without quoting it; undefined when it can (requirements L-11, L-13). */
export function passwordFault(value: unknown): string | undefined {
  if (isObject(value)) {
    const { argon2id, ...more } = value;
    return typeof argon2id === "string" && Object.keys(more).length === 0 && isArgon2id(argon2id)
      ? undefined
      : 'must be text or { "argon2id": "$argon2id$…" } with affordable parameters';
  }
  if (typeof value !== "string") return "must be a string";
  if (!value.isWellFormed()) return "must be well-formed Unicode";
  if ([...value].length < 8) return "must have 8 characters or more";
  if (Buffer.byteLength(value) > 1024) return "must have at most 1024 bytes";
  return isCommonPassword(value) ? "is one of those that are guessed first" : undefined;
}

/** The hash to store of a password that has no fault. */
export async function passwordHash(value: PasswordInput, passwords: PasswordHasher): Promise<string> {
  return typeof value === "string" ? passwords.hash(value) : value.argon2id;
}
