/**
 * Records which fields of a user were already imported. A later import skips them, so it does not restore
 * values that were changed or removed on this server (MG-6).
 */
import type { Row, User } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { PersonLine } from "./person_line.ts";

const members = ["password", "totp", "passkeys", "linked_accounts", "memberships", "attributes"] as const;
export type Member = (typeof members)[number];

const nothing: Pick<PersonLine, Member> = {
  ...{ password: undefined, totp: [], passkeys: [], linked_accounts: [], memberships: [], attributes: {} },
};

type Imported = Pick<Row<"imported_people">, "carried">;

/**
 * Returns the names of the fields that were already imported. Rows of earlier versions do not store the
 * names; for them, returns all except the password.
 */
export const carriedBy = ({ carried }: Imported): readonly string[] =>
  carried ?? members.filter((name) => name !== "password");

/**
 * Returns the line without the fields in `members` that were already imported, and without a password if the
 * user has one. If the user has signed in on this server, none of these fields is left.
 */
export function uncarried(
  line: PersonLine,
  known: Imported,
  { last_login_at, password_hash }: User,
): PersonLine {
  const had = carriedBy(known);
  const isLeft = (name: Member) =>
    last_login_at === null && !had.includes(name) && (name !== "password" || password_hash === null);
  return {
    ...line,
    ...nothing,
    ...Object.fromEntries(members.flatMap((name) => (isLeft(name) ? [[name, line[name]]] : []))),
  };
}

export const hasAttributes = ({ attributes }: Pick<PersonLine, "attributes">): boolean =>
  Object.keys(attributes).length > 0;

export function hasNothing(line: Pick<PersonLine, Member>): boolean {
  const { password, totp, passkeys, linked_accounts, memberships } = line;
  const lists = [totp, passkeys, linked_accounts, memberships];
  return password === undefined && !hasAttributes(line) && lists.every(({ length }) => length === 0);
}

export const detailsOf = ({ password, totp, passkeys }: PersonLine, source: string): JsonObject => ({
  source,
  ...(password && { password: true }),
  ...(totp.length > 0 && { authenticator_apps: totp.length }),
  ...(passkeys.length > 0 && { passkeys: passkeys.length }),
});
