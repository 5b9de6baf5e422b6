import type { FieldFault } from "../errors.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../records/check.ts";
import type { NewRow, User } from "../records/definition.ts";
import { emailKey } from "../records/email.ts";
import type { AdminContext } from "./actor.ts";
import { recordEvent } from "./audit.ts";
import { changeRecord, deleteRecord, insertRecord } from "./changes.ts";
import { type Input, invalidRecord, isText, notFound, sound, without, withoutServerSet } from "./faults.ts";
import { listPage, type Page, type PageOptions } from "./pages.ts";
import { type PasswordInput, passwordHash, passwordInputFault } from "./password_input.ts";

const serverSet = ["password_hash", "last_login_at"] as const;

/** A new user as the caller describes them, checked; they have no password yet. */
export function draftUser({ store, now }: AdminContext, asked: Input): Checked<NewRow<"users">> {
  const at = now();
  const { input, faults } = withoutServerSet(asked, serverSet);
  const checked = checkNew("users", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    email_key: emailKey(typeof input.email === "string" ? input.email : ""),
    password_hash: null,
    created_at: at,
    updated_at: at,
  });
  return { faults: [...faults, ...checked.faults], record: checked.record };
}

/** A change of a user, checked. */
export function draftUserChange(current: User, asked: Input): Checked<Partial<User>> {
  const { input, faults } = withoutServerSet(asked, serverSet);
  const checked = checkChange("users", current, input);
  const { email } = checked.record;
  const record = email === undefined ? checked.record : { ...checked.record, email_key: emailKey(email) };
  return { faults: [...faults, ...checked.faults], record };
}

function passwordFaults(password: unknown): FieldFault[] {
  const message = password === undefined ? undefined : passwordInputFault(password);
  return message === undefined ? [] : [{ path: "/password", message }];
}

/**
 * Creates a user; `password` is text or `{ argon2id }`, and a user without one cannot sign in with a password.
 * Throws 422 `invalid_record`, 409 `conflict`.
 */
export async function createUser(context: AdminContext, asked: Input): Promise<User> {
  const { password } = asked;
  const checked = draftUser(context, without(asked, ["password"]));
  const faults = [...checked.faults, ...passwordFaults(password)];
  const record = sound("users", { faults, record: checked.record });
  const password_hash =
    password === undefined ? null : await passwordHash(password as PasswordInput, context.passwords);
  return insertRecord(context, "users", { ...record, password_hash });
}

export function listUsers({ store }: AdminContext, options?: PageOptions): Promise<Page<User>> {
  return listPage(store, "users", {}, options);
}

/** The user of this id or e-mail, whatever its case. */
export async function findUser(
  { store }: Pick<AdminContext, "store">,
  name: string,
): Promise<User | undefined> {
  if (isUuid(name)) return store.find("users", { id: name.toLowerCase() });
  return isText(name) ? store.find("users", { email_key: emailKey(name) }) : undefined;
}

/** The user of this id or e-mail; throws 404 `not_found`. */
export async function getUser(context: Pick<AdminContext, "store">, name: string): Promise<User> {
  const user = await findUser(context, name);
  if (user === undefined) throw notFound("users", name);
  return user;
}

/**
 * Changes a user; members that are left out stay (RFC 7396). `active: false` ends their sessions and tokens at once, and
 * so does a new `password`.
 */
export async function updateUser(context: AdminContext, name: string, asked: Input): Promise<User> {
  const current = await getUser(context, name);
  const { password } = asked;
  const checked = draftUserChange(current, without(asked, ["password"]));
  const faults = [...checked.faults, ...passwordFaults(password)];
  const record = sound("users", { faults, record: checked.record });
  if (password === undefined) return changeRecord(context, "users", current, record);
  const password_hash = await passwordHash(password as PasswordInput, context.passwords);
  return changeRecord(context, "users", current, { ...record, password_hash });
}

/** Switches a user off: every session and token of theirs ends (design 6.18). */
export async function deactivateUser(context: AdminContext, name: string): Promise<User> {
  return changeRecord(context, "users", await getUser(context, name), { active: false });
}

/** Switches a user on again; nothing that ended comes back. */
export async function reactivateUser(context: AdminContext, name: string): Promise<User> {
  return changeRecord(context, "users", await getUser(context, name), { active: true });
}

/**
 * Sets a password (requirements L-13). Every token of the user ends and every session but `keep_session` (design 6.8).
 * Throws 422 `invalid_record`.
 */
export async function setPassword(
  context: AdminContext,
  name: string,
  password: unknown,
  { keep_session }: { keep_session?: string } = {},
): Promise<void> {
  const current = await getUser(context, name);
  const faults = passwordFaults(password ?? null);
  if (faults.length > 0) throw invalidRecord("users", faults);
  const password_hash = await passwordHash(password as PasswordInput, context.passwords);
  const user = await changeRecord(context, "users", current, { password_hash }, keep_session);
  await recordEvent(context, { type: "user.password_set", target_table: "users", target_id: user.id });
}

/**
 * Deletes a user with all that is theirs alone. What belongs to an organization goes to `successor` (id or e-mail);
 * throws 409 `successor_required` when there is such a thing and nobody is named.
 */
export async function deleteUser(context: AdminContext, name: string, successor?: string): Promise<void> {
  const { id } = await getUser(context, name);
  const heir = successor === undefined ? undefined : await getUser(context, successor);
  await deleteRecord(context, "users", id, () => context.store.deleteUser(id, context.now(), heir?.id));
}
