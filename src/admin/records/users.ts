import { shortestBy } from "../../crypto/password_rules.ts";
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, User } from "../../records/definition/definition.ts";
import { type Checked, checkChange, isUuid } from "../../records/formats/check.ts";
import { newUser } from "../../records/formats/new_user.ts";
import { emailKey, findByMailbox } from "../../records/names/email.ts";
import { emailLockHours, lockOfEmail } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { Verbs } from "../../storage/database/verbs.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import {
  assertValid,
  type Input,
  invalidRecord,
  isText,
  notFound,
  without,
  withoutServerSet,
} from "../access/errors.ts";
import { changeRecord, type Expected, insertRecord, type Transaction } from "../changes/changes.ts";
import { deleteRecord } from "../changes/removal.ts";
import { confirmPassword } from "../guards/guards.ts";
import { refuseAny } from "../guards/rules.ts";
import { type PasswordInput, passwordHash, passwordInputError } from "./password_input.ts";
import { removeUser, requireSuccessor } from "./removals.ts";

const serverSet = ["password_hash", "last_login_at"] as const;

export function draftUser({ store, now }: AdminContext, requested: Input): Checked<NewRow<"users">> {
  const at = now();
  const { input, errors } = withoutServerSet(requested, serverSet);
  const checked = newUser(input, { at, ...(input.id === undefined && { id: store.newId(at) }) });
  return { errors: [...errors, ...checked.errors], record: checked.record };
}

export function draftUserChange(current: User, requested: Input): Checked<Partial<User>> {
  const { input, errors } = withoutServerSet(requested, serverSet);
  const checked = checkChange("users", current, input);
  const { email } = checked.record;
  const changes = email !== undefined && email !== current.email;
  const record = changes ? { ...checked.record, email_key: emailKey(email) } : checked.record;
  return { errors: [...errors, ...checked.errors], record };
}

function passwordErrors(password: unknown, { switches }: Pick<AdminContext, "switches">): FieldError[] {
  const why = password === undefined ? undefined : passwordInputError(password, shortestBy(switches));
  return why === undefined ? [] : [{ path: "/password", ...why }];
}

/**
 * Creates a user. `password` is text, `{ argon2id }` or `{ hash }`. Throws 422 `invalid_record`, 409
 * `conflict`.
 */
export async function createUser(context: AdminContext, requested: Input): Promise<User> {
  const { password } = requested;
  const checked = draftUser(context, without(requested, ["password"]));
  const errors = [...checked.errors, ...passwordErrors(password, context)];
  const record = assertValid("users", { errors, record: checked.record });
  const password_hash =
    password === undefined ? null : await passwordHash(password as PasswordInput, context);
  return insertRecord(context, "users", { ...record, password_hash });
}

export async function findUser(
  { store }: { readonly store: Pick<Verbs, "find"> },
  name: string,
): Promise<User | undefined> {
  if (isUuid(name)) return store.find("users", { id: name.toLowerCase() });
  if (!isText(name)) return undefined;
  return (await findByMailbox(name, (email_key) => store.find("users", { email_key }))).meant;
}

/**
 * Changes a user; omitted fields do not change (RFC 7396). Users who change their own password or email
 * address must send `current_password` if they have a password. Throws 404 `not_found`, 422 `invalid_record`,
 * 403 `forbidden`, 409 `conflict`.
 */
export async function updateUser(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<"users">,
  known?: User,
): Promise<User> {
  const seen = known ?? (await context.store.find("users", { id }));
  if (seen === undefined) throw notFound("users", id);
  const { password, current_password } = requested;
  const input = without(requested, ["password", "current_password"]);
  const draft = draftUserChange(seen, input);
  const early = [...draft.errors, ...passwordErrors(password, context)];
  if (current_password !== undefined && password === undefined && input.email === undefined) {
    early.push(fieldError("/current_password", "current_password_needless"));
  }
  if (early.length > 0) throw invalidRecord("users", early);
  const { email = seen.email } = draft.record;
  // The guards refuse a new email address from actors that are not platform administrators, so their password
  // need not be verified.
  const { platform, user_id } = await permissionsOfActor(context);
  const takesOver = password !== undefined || (platform && email !== seen.email);
  if (takesOver) await confirmPassword(context, seen, current_password);
  const password_hash =
    password === undefined ? undefined : await passwordHash(password as PasswordInput, context);
  return changeRecord(
    context,
    "users",
    id,
    async (current, tx) => {
      const changes = assertValid("users", draftUserChange(current, input));
      const readdressed = changes.email !== undefined && changes.email !== current.email;
      if (platform && user_id === id && readdressed) requireUnlocked(current, context);
      if (takesOver && current.password_hash !== seen.password_hash) {
        throw new Problem("conflict", detail("password_changed_meanwhile"));
      }
      if (takesOver) await requireSession(context, tx);
      const held = platform && requested.active === false && current.deletion_at !== null;
      return {
        ...changes,
        ...(password_hash !== undefined && { password_hash }),
        // If a platform administrator deactivates an account that awaits deletion, the account stays
        // deactivated and is not deleted (SS-12).
        ...(held && { deletion_at: null }),
      };
    },
    { expected, keep_session: sessionOf(context, id) },
  );
}

/**
 * Throws 401 `unauthorized` if the actor's session has ended since the request started. An ended session must
 * not be used to take over an account (SU-6).
 */
export async function requireSession(
  { store, actor, now }: AdminContext,
  tx: Pick<Verbs, "find">,
): Promise<void> {
  if (actor.kind !== "user" || actor.session_id === undefined) return;
  const session = { id: actor.session_id, user_id: actor.user.id };
  if (await store.wasShutOut(tx, session, now())) throw new Problem("unauthorized", detail("not_signed_in"));
}

/**
 * Throws 403 `forbidden` if the owner of a former email address restored it in the last `emailLockHours`. An
 * intruder may still be signed in and must not change the address again (SS-7).
 */
function requireUnlocked(current: User, { now }: AdminContext): void {
  if (lockOfEmail(current, now()) === undefined) return;
  refuseAny([fieldError("/email", "email_locked", { seconds: emailLockHours * 3600 })]);
}

function sessionOf({ actor }: AdminContext, id: string): string | undefined {
  return actor.kind === "user" && actor.user.id === id ? actor.session_id : undefined;
}

/**
 * Deletes a user. Apps and service accounts in organizations go to `successor` (id or email address). Throws
 * 409 `successor_required` if there are any and no successor is given, and 404 `not_found` if either user does
 * not exist.
 */
export async function deleteUser(
  context: AdminContext,
  id: string,
  successor?: string,
  expected?: Expected<"users">,
): Promise<void> {
  // Looked up only inside the deletion: an actor who may not delete the user must not learn whether the
  // successor exists.
  async function heirOf(tx: Transaction) {
    const heir = successor === undefined ? undefined : await findUser({ store: tx }, successor);
    if (successor !== undefined && heir === undefined) throw notFound("users", successor);
    return heir?.id;
  }
  await deleteRecord(context, "users", id, {
    expected,
    locks: [userLock(id)],
    check: async (tx) => requireSuccessor(tx, id, await heirOf(tx)),
    remove: async (tx) => removeUser(tx, context, id, context.now(), await heirOf(tx)),
  });
}
