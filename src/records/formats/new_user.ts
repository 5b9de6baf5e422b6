/** Creates the row of a new user, for every way in which an account can be created. */

import type { NewRow, User } from "../definition/definition.ts";
import { emailKey } from "../names/email.ts";
import { type Checked, checkNew } from "./check.ts";

/**
 * Validates `input` and returns its errors and the row of the new user. `columns` are values that the server
 * sets.
 */
export function newUser(
  input: Readonly<Record<string, unknown>>,
  { at, ...columns }: { readonly at: Date } & Partial<User>,
): Checked<NewRow<"users">> {
  return checkNew("users", input, {
    email_key: emailKey(typeof input.email === "string" ? input.email : ""),
    password_hash: null,
    created_at: at,
    updated_at: at,
    ...columns,
  });
}
