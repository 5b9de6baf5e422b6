/** Members of a person that come along once, so that none is restored that was changed or removed here (MG-6). */
import type { Row, User } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { PersonLine } from "./person_line.ts";

const members = ["password", "totp", "passkeys", "linked_accounts", "memberships", "attributes"] as const;
export type Member = (typeof members)[number];

const nothing: Pick<PersonLine, Member> = {
  ...{ password: undefined, totp: [], passkeys: [], linked_accounts: [], memberships: [], attributes: {} },
};

type Imported = Pick<Row<"imported_people">, "carried">;

/** The members that came along; earlier versions did not note them. */
export const carriedBy = ({ carried }: Imported): readonly string[] =>
  carried ?? members.filter((name) => name !== "password");

/** The line without the members that the person had before; without any of a person who has signed in here. */
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

/** Whether there is nothing to add to a person who is here already. */
export function hasNothing(line: Pick<PersonLine, Member>): boolean {
  const { password, totp, passkeys, linked_accounts, memberships } = line;
  const lists = [totp, passkeys, linked_accounts, memberships];
  return password === undefined && !hasAttributes(line) && lists.every(({ length }) => length === 0);
}

/** The audit details of an import: the number of imported items, and no secret. */
export const detailsOf = ({ password, totp, passkeys }: PersonLine, source: string): JsonObject => ({
  source,
  ...(password && { password: true }),
  ...(totp.length > 0 && { authenticator_apps: totp.length }),
  ...(passkeys.length > 0 && { passkeys: passkeys.length }),
});
