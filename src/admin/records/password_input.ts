import { passwordError } from "../../crypto/password_rules.ts";
import { isArgon2id } from "../../crypto/passwords.ts";
import { type Reason, reason } from "../../errors/field_errors.ts";
import { isObject } from "../../records/json_shapes.ts";
import type { AdminContext } from "../access/actor.ts";
import { hashingCaller } from "../hashing_caller.ts";

/** A new password: its text, or a hash that was made elsewhere. */
export type PasswordInput = string | { readonly argon2id: string };

/** Why a password cannot be set, without quoting it; undefined when it can (L-11, L-13). */
export function passwordInputError(value: unknown): Reason | undefined {
  if (typeof value === "string") return passwordError(value);
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
