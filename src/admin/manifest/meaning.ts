/**
 * What names in a manifest mean. Users may rename their records and reuse a name. A name therefore keeps the
 * meaning that it had in the last manifest (H-66).
 */
import { sha256Base64url } from "../../crypto/digest.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { naturalKeyOf } from "../../records/definition/natural_key.ts";
import { mailboxOf } from "../../records/names/email.ts";
import type { MeantName } from "../../storage/operation/manifest_rows.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Values } from "../manage/planned_record.ts";
import { whereImported } from "./identity.ts";
import { keyText, referenceIn } from "./members/entry.ts";
import type { Section } from "./sections.ts";

/** `row` is undefined if the record was deleted. */
export interface Meant extends Pick<MeantName, "id" | "by_entry"> {
  readonly row: Values | undefined;
}

type Noted = Omit<MeantName, "name"> & { readonly name: string | undefined };

const remembered: readonly TableName[] = [
  "organizations",
  "attribute_definitions",
  "users",
  "roles",
  "providers",
  "api_keys",
  "oauth_apps",
  "resources",
  "app_roles",
  "groups",
  "service_accounts",
];

/** Returns the text under which a name is remembered. Email addresses of users are hashed. */
export function nameIn(table: TableName, where: Values | undefined): string | undefined {
  if (where === undefined || !remembered.includes(table)) return undefined;
  return table === "users" ? sha256Base64url(mailboxOf(String(where.email))) : keyText(table, where);
}

/** Returns the names by which an entry could identify this record. */
export function namesOfRow(section: Section, row: Values): string[] {
  const { table } = section;
  const unnamed = Object.fromEntries(
    Object.entries(row).filter(([name]) => !naturalKeyOf(table).includes(name)),
  );
  const names = [row, unnamed].map((values) => nameIn(table, whereImported(section, values)));
  return names.filter((name) => name !== undefined);
}

/** Returns whether users cannot rename a record with these identifying values. */
export function isFixedName(table: TableName, where: Values | undefined): boolean {
  const fields = fieldsOf(table);
  const columns = Object.keys(where ?? {});
  return columns.every((name) => referenceIn(table, name) !== undefined || fields[name]?.immutable === true);
}

/**
 * Returns functions that read what names meant and collect what they mean now. `changed` returns the names to
 * remember.
 */
export function meanings({ store }: Pick<AdminContext, "store">) {
  const read = new Map<string, Promise<Meant | undefined>>();
  const changed = new Map<string, MeantName>();

  async function readMeant(table: TableName, name: string): Promise<Meant | undefined> {
    const found = await store.recordMeant(table, name);
    return found && { ...found, row: await store.find(table as "users", { id: found.id }) };
  }

  return {
    changed: (): readonly MeantName[] => [...changed.values()],
    async meant(table: TableName, name: string | undefined): Promise<Meant | undefined> {
      if (name === undefined) return undefined;
      const found = read.get(`${table} ${name}`) ?? readMeant(table, name);
      read.set(`${table} ${name}`, found);
      return found;
    },
    note({ table, name, id, by_entry }: Noted, was: Meant | undefined): void {
      if (name === undefined) return;
      const earlier = changed.get(`${table} ${name}`) ?? was;
      const isNoted = earlier?.id === id && (earlier.by_entry || !by_entry);
      if (!isNoted) changed.set(`${table} ${name}`, { table, name, id, by_entry });
    },
  };
}
