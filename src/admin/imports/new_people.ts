import type { FieldError } from "../../errors/field_errors.ts";
import type { NewRow, User } from "../../records/definition/definition.ts";
import type { Checked } from "../../records/formats/check.ts";
import { newUser } from "../../records/formats/new_user.ts";
import { userLock } from "../../records/names/lock_names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { AdminEvent } from "../changes/audit.ts";
import { type Transaction, writeAllNew } from "../changes/changes.ts";
import { readingOnce } from "../guards/reading_once.ts";
import { addBelongings, foundOnce } from "./add_belongings.ts";
import type { Adding } from "./add_memberships.ts";
import { detailsOf, hasAttributes } from "./carried.ts";
import type { PersonLine } from "./person_line.ts";

export interface NewPerson {
  readonly line: PersonLine;
  readonly record: NewRow<"users">;
  readonly password_hash: string | undefined;
}

export interface Done {
  readonly status: "created" | "updated" | "unchanged";
  readonly id: string;
  readonly losses: readonly FieldError[];
  readonly events: readonly AdminEvent[];
  readonly changes?: Partial<User>;
}

export function newRecord(
  { store, now }: Pick<AdminContext, "store" | "now">,
  line: PersonLine,
): Checked<NewRow<"users">> {
  const at = now();
  const { email } = line.user;
  return newUser(
    { name: email, ...line.user, ...(hasAttributes(line) && { attributes: line.attributes }) },
    {
      at,
      id: line.id ?? store.newId(at),
      created_at: line.created_at ?? at,
      email_verified_at: line.email_verified_at ?? null,
      webauthn_handle: line.webauthn_handle ?? null,
    },
  );
}

/**
 * Creates the users in the given order, with their sign-in methods and memberships. Throws a UniqueViolation
 * if one of them conflicts with an existing record.
 */
export async function makePeople(
  tx: Transaction,
  context: AdminContext,
  people: readonly NewPerson[],
  { source, only_applied }: { readonly source: string } & Pick<Adding, "only_applied">,
): Promise<Done[]> {
  const { store, now } = context;
  const at = now();
  await tx.lock(...people.map(({ record }) => userLock(record.id)));
  const news = people.map(({ line, record, password_hash = null }) => ({
    record: { ...record, password_hash },
    details: detailsOf(line, source),
  }));
  const written = await writeAllNew(tx, context, "users", news, "imported");
  const shared = foundOnce(tx);
  // No import writes custom roles.
  const roles = { ...readingOnce(tx), lock: tx.lock };
  const done: Done[] = [];
  const imported: NewRow<"imported_people">[] = [];
  for (const [index, { line, record, password_hash }] of people.entries()) {
    const { id } = record;
    const more = await addBelongings(tx, context, line, id, { at, shared, roles, only_applied });
    const carried = [
      ...(password_hash === undefined ? [] : ["password"]),
      ...(hasAttributes(line) ? ["attributes"] : []),
      ...more.added,
    ];
    imported.push({
      ...{ id: store.newId(at), user_id: id, source, external_id: line.external_id },
      ...{ created_at: at, carried },
    });
    const event = written[index]?.event;
    const events = event === undefined ? more.events : [event, ...more.events];
    done.push({ status: "created", id, losses: more.losses, events });
  }
  await tx.insertAll("imported_people", imported);
  return done;
}
