/** Completes a user who was imported before: adds the fields that no earlier line supplied (MG-6). */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { User } from "../../records/definition/definition.ts";
import { checkChange } from "../../records/formats/check.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Transaction, writeChange, writeEvent } from "../changes/changes.ts";
import { addBelongings } from "./add_belongings.ts";
import { carriedBy, detailsOf, hasAttributes, uncarried } from "./carried.ts";
import type { Done } from "./new_people.ts";
import type { PersonLine } from "./person_line.ts";

/** Adds the fields that the user lacked; all others are unchanged. */
export async function completePerson(
  tx: Transaction,
  context: AdminContext,
  whole: PersonLine,
  { source, password_hash }: { readonly source: string; readonly password_hash: string | undefined },
): Promise<Done | readonly FieldError[]> {
  const at = context.now();
  const { external_id } = whole;
  const found = await tx.find("imported_people", { source, external_id });
  const id = found?.user_id ?? "";
  await tx.lock(userLock(id));
  // Another run may have added the same data since the user was read.
  const known = await tx.find("imported_people", { source, external_id });
  const current = await tx.find("users", { id });
  if (known === undefined || current === undefined) return [fieldError("/external_id", "other_person")];
  const line = uncarried(whole, known, current);
  // Values that were set on this server take precedence.
  const attributes = { ...line.attributes, ...current.attributes };
  const { errors, record } = checkChange("users", current, hasAttributes(line) ? { attributes } : {});
  if (errors.length > 0) return errors;
  const more = await addBelongings(tx, context, line, id, { at });
  const { losses } = more;
  const { webauthn_handle } = line;
  const changes: Partial<User> = {
    ...(line.password !== undefined && password_hash !== undefined && { password_hash }),
    ...(webauthn_handle &&
      more.added.includes("passkeys") &&
      current.webauthn_handle === null && { webauthn_handle }),
    ...record,
  };
  const added = [
    ...("password_hash" in changes ? ["password"] : []),
    ...("attributes" in changes ? ["attributes"] : []),
    ...more.added,
  ];
  if (added.length === 0) return { status: "unchanged", id, losses, events: [] };
  await tx.update("imported_people", { id: known.id }, { carried: [...carriedBy(known), ...added] });
  const details = detailsOf(line, source);
  const event =
    Object.keys(changes).length > 0
      ? (await writeChange(tx, context, "users", current, changes, at, { verb: "imported", details })).event
      : await writeEvent(tx, context, "users", current, "imported", details);
  return { status: "updated", id, losses, changes, events: [event, ...more.events] };
}
