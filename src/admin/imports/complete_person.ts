import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { checkChange } from "../../records/formats/check.ts";
import { isSameMailbox } from "../../records/names/email.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { type AdminContext, isUnlimited, permissionsOfActor } from "../access/actor.ts";
import { isText } from "../access/errors.ts";
import { type Transaction, writeChange, writeEvent } from "../changes/changes.ts";
import { addBelongings } from "./add_belongings.ts";
import { carriedBy, detailsOf, hasAttributes, hasNothing, uncarried } from "./carried.ts";
import type { Done } from "./new_people.ts";
import type { PersonLine } from "./person_line.ts";

/**
 * Adds the imported fields that an existing user lacks, and changes no existing value (MG-6). Returns errors
 * if the line may describe a different user, or if its attributes are invalid.
 */
export async function completePerson(
  tx: Transaction,
  context: AdminContext,
  whole: PersonLine,
  {
    source,
    password_hash,
    complete_applied,
  }: {
    readonly source: string;
    readonly password_hash: string | undefined;
    readonly complete_applied: boolean;
  },
): Promise<Done | readonly FieldError[]> {
  const at = context.now();
  const { external_id } = whole;
  const found = await tx.find("imported_people", { source, external_id });
  const id = found?.user_id ?? whole.id ?? "";
  await tx.lock(userLock(id));
  // The user was read before this transaction; another import may have added the same fields since.
  const known = await tx.find("imported_people", { source, external_id });
  const current = await tx.find("users", { id });
  if (current === undefined || (known !== undefined && known.user_id !== id))
    return [fieldError("/external_id", "other_person")];
  if (known === undefined && !(complete_applied && (await isUnclaimed(tx, context, whole, current))))
    return [fieldError("/id", "taken")];
  const line = uncarried(whole, known ?? { carried: [] }, current);
  // The email address shows whether the line describes this user. A line that adds nothing is accepted,
  // because the user may have changed their address on this server.
  if (!hasNothing(line) && !isAddressOf(whole, current)) return [fieldError("/email", "other_person")];
  const attributes = { ...line.attributes, ...current.attributes };
  const { errors, record } = checkChange("users", current, hasAttributes(line) ? { attributes } : {});
  if (errors.length > 0) return errors;
  const more = await addBelongings(tx, context, line, id, {
    at,
    shared: tx,
    roles: tx,
    only_applied: complete_applied,
  });
  const { losses } = more;
  const { webauthn_handle, email_verified_at = null } = line;
  const changes: Partial<User> = {
    ...(line.password !== undefined && password_hash !== undefined && { password_hash }),
    ...(webauthn_handle &&
      more.added.includes("passkeys") &&
      current.webauthn_handle === null && { webauthn_handle }),
    ...(known === undefined &&
      email_verified_at !== null &&
      current.email_verified_at === null && { email_verified_at }),
    ...record,
  };
  const added = [
    ...("password_hash" in changes ? ["password"] : []),
    ...("attributes" in changes ? ["attributes"] : []),
    ...more.added,
  ];
  if (known === undefined) {
    const row = { id: context.store.newId(at), user_id: id, source, external_id, created_at: at };
    // The user may have had these fields from a manifest. Marking them as imported prevents a repeated import
    // from restoring what was removed on this server.
    const had = ["linked_accounts", "memberships", "attributes"];
    await tx.insert("imported_people", { ...row, carried: [...new Set([...had, ...added])] });
  } else if (added.length > 0)
    await tx.update("imported_people", { id: known.id }, { carried: [...carriedBy(known), ...added] });
  if (added.length === 0 && Object.keys(changes).length === 0)
    return { status: "unchanged", id, losses, events: [] };
  const details = detailsOf(line, source);
  const event =
    Object.keys(changes).length > 0
      ? (await writeChange(tx, context, "users", current, changes, at, { verb: "imported", details })).event
      : await writeEvent(tx, context, "users", current, "imported", details);
  return { status: "updated", id, losses, changes, events: [event, ...more.events] };
}

const isAddressOf = ({ user: { email } }: PersonLine, current: User): boolean =>
  isText(email) && isSameMailbox(email, current.email);

/**
 * Returns whether the import may complete a user whom a manifest created (MG-12). The user must not be able
 * to sign in yet, except through linked accounts that the line contains too.
 */
async function isUnclaimed(
  tx: Transaction,
  context: AdminContext,
  line: PersonLine,
  current: User,
): Promise<boolean> {
  const { id, linked_accounts, is_platform_admin } = line;
  if (!isUnlimited(await permissionsOfActor(context))) return false;
  if (id !== current.id || !isAddressOf(line, current)) return false;
  if (current.password_hash !== null || current.last_login_at !== null) return false;
  if (current.is_platform_admin && !is_platform_admin) return false;
  const applied = await tx.find("manifest_records", { table_name: "users", record_id: current.id });
  if (applied?.source !== null) return false;
  const of = { user_id: current.id };
  for (const factor of ["passkeys", "totp_authenticators", "recovery_codes"] as const)
    if ((await tx.count(factor, of)) > 0) return false;
  const links = await tx.list("oauth_accounts", of);
  return links.every(({ provider, provider_user_id }) =>
    linked_accounts.some((each) => each.provider === provider && each.provider_user_id === provider_user_id),
  );
}
