/** Compares a manifest with the stored records. Finds every error in the file and the changes to write. */

import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { type AttributeDefinition, fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { findNamed, nameColumnOf, nameForm } from "../../records/definition/natural_key.ts";
import { type Checked, isUuid } from "../../records/formats/check.ts";
import { isSameMailbox } from "../../records/names/email.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOfRow, configuredValues } from "../../records/rules/attributes.ts";
import type { MeantName } from "../../storage/operation/manifest_rows.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, invalidRecord, isText, kindOf, nounOf } from "../access/errors.ts";
import { heldOff } from "../access/own_columns.ts";
import { organizationIdOf } from "../access/owners.ts";
import { differing } from "../changes/changes.ts";
import { warnOfPictures } from "../changes/hidden_pictures.ts";
import type { ErrorCollector, PlannedRecord, Reading, Values } from "../manage/planned_record.ts";
import { membershipRoleErrors } from "../records/given_roles.ts";
import { adoptionError, isKnownAs, unresolved, warnOfForeign } from "./adoption.ts";
import { currentRecord } from "./current_record.ts";
import { nameOf, whereImported, whereKey, whereLoose } from "./identity.ts";
import { meanings, nameIn, namesOfRow } from "./meaning.ts";
import {
  columnsOf,
  keyText,
  memberOf,
  pathBelow,
  type Reference,
  referenceIn,
  referencesOf,
} from "./members/entry.ts";
import { isNamedWithin, rolesInFile, storedRole } from "./members/role_names.ts";
import { type Section, sections } from "./sections.ts";

/**
 * Returns a 409 `conflict` for a record that changed concurrently, after which the manifest must be applied
 * again.
 */
export function changedMeanwhile(table: TableName): Problem {
  return new Problem("conflict", detail("changed_while_applied", { record: nounOf(table) }));
}

/** In `input`, ids have replaced the names in references. */
interface ReadEntry {
  readonly path: string;
  readonly entry: unknown;
  readonly input: Input;
  readonly found: readonly FieldError[];
}

interface Stated {
  readonly ids: ReadonlySet<unknown>;
  readonly names: ReadonlySet<string | undefined>;
}

interface Plan {
  /** If there are errors, nothing may be written. */
  readonly errors: readonly FieldError[];
  readonly records: readonly PlannedRecord[];
  /** What the names in the file mean, where that is not remembered yet. */
  readonly names: readonly MeantName[];
}

export async function planManifest(
  manifest: unknown,
  context: AdminContext,
  onRead?: (done: number) => void,
): Promise<Plan> {
  const { store, import_source: source } = context;
  const errors: FieldError[] = [];
  const records: PlannedRecord[] = [];
  const named = new Map<string, string>();
  const ownRoles = rolesInFile((identifier) => named.get(nameText("resources", "identifier", identifier)));
  const ownersOfApis = new Map<unknown, unknown>();
  const pathOf = new Map<string, string>();
  const { meant, note, changed } = meanings(context);
  let definitions: readonly AttributeDefinition[] | undefined;

  const collector: ErrorCollector = {
    add: (path, why) => errors.push({ path, ...why }),
    addBelow(path, found, table) {
      for (const each of found) errors.push({ ...each, path: pathBelow(path, each.path, table) });
    },
  };

  if (!isObject(manifest)) {
    return { errors: [fieldError("the manifest", "not_sections")], records, names: [] };
  }
  for (const name of Object.keys(manifest)) {
    if (sections.some(({ resourceType }) => resourceType === name)) continue;
    collector.add(
      name,
      reason("unknown_section", { sections: sections.map(({ resourceType }) => resourceType) }),
    );
  }

  for (const section of sections) {
    const { resourceType } = section;
    // In YAML, a section without entries is null.
    const entries = (Object.hasOwn(manifest, resourceType) ? manifest[resourceType] : undefined) ?? [];
    if (!Array.isArray(entries)) {
      collector.add(resourceType, reason("not_list"));
      continue;
    }
    const read: ReadEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      const path = `${resourceType}[${index}]`;
      const earlier = errors.length;
      const input = isObject(entry) ? await inputOf(section, entry, path) : undefined;
      if (input === undefined) collector.add(path, reason("not_object"));
      read.push({ path, entry, input: input ?? {}, found: errors.splice(earlier) });
    }
    const inSection: Stated = {
      ids: new Set(read.map(({ input }) => input.id)),
      names: new Set(read.map(({ input }) => nameIn(section.table, whereImported(section, input)))),
    };
    for (const each of read) {
      errors.push(...each.found);
      if (isObject(each.entry)) await planEntry(section, each, each.entry, inSection);
      onRead?.(records.length);
    }
    records.push(...((await section.manifest.further?.(records, context)) ?? []));
  }
  return { errors, records, names: changed() };

  async function planEntry(
    section: Section,
    { path, input: given }: ReadEntry,
    entry: Input,
    inSection: Stated,
  ): Promise<void> {
    const { table, manifest: rules } = section;
    const where = whereImported(section, given);
    const stated = source === undefined ? nameIn(table, where) : undefined;
    const was = await meant(table, stated);
    const hasOwnEntry = (row: Values) =>
      (row.id !== given.id && inSection.ids.has(row.id)) ||
      namesOfRow(section, row).some((name) => name !== stated && inSection.names.has(name));
    const known = was?.row === undefined || hasOwnEntry(was.row) ? undefined : was.row;
    const current = await currentRecord(
      section,
      { input: given, path, known, names: inSection.names },
      { store, collector },
    );
    // Users may change the email address that a manifest gave them. The address in the entry is then ignored,
    // unless the entry has the user's id.
    const isReaddressed = ({ email }: Values) =>
      table === "users" && !isUuid(given.id) && !isSameMailbox(String(email), String(given.email));
    const { email: _, ...withoutEmail } = given;
    const inputOn = (row: Values) => (isReaddressed(row) ? withoutEmail : given);
    const input = current === undefined ? given : inputOn(current);
    const key = where && keyText(table, where);
    let why: Reason | undefined;
    if (source !== undefined) why = await notOfImport(source, table, key, current);
    else if (current !== undefined)
      why = await adoptionError({ table, where, was }, input, current, known, store);
    if (why !== undefined) {
      collector.add(path, why);
      return;
    }
    const noted: AdminContext = {
      ...context,
      warn: (message) => context.warn?.(`${path}${message.replaceAll(/\/(?=\S*:)/g, ".")}`),
    };
    const { errors: found, record } =
      current === undefined ? rules.draft(noted, input) : await changesOf(current, noted);
    const names = { record: nounOf(table), id: String(current?.id) };
    const told = found.map((each) =>
      each.path === "/id" && each.code === "immutable" ? fieldError("/id", "other_id", names) : each,
    );
    collector.addBelow(path, told, table);
    if (table === "memberships") {
      const custom = await membershipRoleErrors(
        input,
        current ?? {},
        async (name) =>
          ownRoles.meant("roles", name, input.organization_id) ??
          storedRole("roles", name, input.organization_id, store),
      );
      collector.addBelow(path, custom, table);
    }

    const whole: Values = { ...current, ...record };
    warnOfPictures(noted, table, { before: current, after: whole });
    const id = typeof whole.id === "string" ? whole.id : unresolved;
    claim(section, given, whole, id, path);
    if (table === "resources") ownersOfApis.set(id, whole.organization_id);
    const hasEntry = (of: TableName, its: string) => pathOf.has(`${of} ${its}`);
    await warnOfForeign(noted, { table, before: current, after: whole }, { hasEntry, meant });
    if (isNamedWithin(table)) {
      const { resource_id: api } = whole;
      const owner = ownersOfApis.has(api)
        ? ownersOfApis.get(api)
        : await organizationIdOf(store, table, whole);
      ownRoles.add(table, whole, owner);
    }
    // Addresses of users whom no manifest created are not remembered, not even as hashes.
    if (table !== "users" || current === undefined || was !== undefined || (await store.isApplied(table, id)))
      note({ table, name: stated, id, by_entry: true }, was);
    const reading: Reading = { id, path, current, whole, context, collector };
    const members: PlannedRecord["members"][number][] = [];
    for (const member of rules.members ?? []) {
      members.push({ member, input: await member.read(entry, reading) });
    }
    const name = nameOf(section, entry, whole);
    records.push({
      id,
      table,
      current,
      values: current === undefined ? record : (differing(current as never, record as never) as Values),
      ...(current !== undefined && source === undefined && { revise: (row) => revised(current, row) }),
      name,
      key,
      label: `${kindOf(table)} ${name}`,
      path,
      members,
    });

    async function changesOf(row: Values, its: AdminContext): Promise<Checked<Values>> {
      const meantInput = inputOn(row);
      const checked = rules.change(its, row as never, await withKeptAttributes(table, row, meantInput));
      return { ...checked, record: { ...checked.record, ...(await heldOff(its, table, row, meantInput)) } };
    }

    /** Throws if the entry no longer means this record or may no longer change it. */
    async function revised(read: Values, row: Values): Promise<Values> {
      const isMoved = (name: string) => !isDeepStrictEqual(row[name], read[name]);
      const isRenamed = Object.keys(where ?? {}).some(isMoved);
      if (isRenamed && given.id !== row.id && !(await isKnownAs({ table, where, was }, row, store)))
        throw changedMeanwhile(table);
      const refused = isMoved("organization_id")
        ? await adoptionError({ table, where, was }, given, row, known, store)
        : undefined;
      if (refused !== undefined) throw invalidRecord(table, [{ path: "", ...refused }]);
      return assertValid(table, await changesOf(row, { ...context, warn: () => {} }));
    }
  }

  /** Keeps attribute values that the file does not contain, such as those that a provider set. */
  async function withKeptAttributes(table: TableName, current: Values, input: Input): Promise<Input> {
    const { attributes } = current;
    if (input.attributes === undefined || !isObject(attributes)) return input;
    if (input.attributes !== null && !isObject(input.attributes)) return input;
    definitions ??= await store.list("attribute_definitions");
    const configured = configuredValues(attributes, attributesOfRow(table, current, definitions));
    const kept = Object.entries(attributes).filter(([name]) => !Object.hasOwn(configured, name));
    return { ...input, attributes: { ...Object.fromEntries(kept), ...input.attributes } };
  }

  /**
   * Returns an error unless the import creates the record, or created it earlier and it still exists (MG-12).
   */
  async function notOfImport(
    source: string,
    table: TableName,
    key: string | undefined,
    current: Values | undefined,
  ): Promise<Reason | undefined> {
    const made = key && (await store.importedRecord(table, { source, name: key }));
    if (current !== undefined) return made === current.id ? undefined : reason("not_of_import");
    return made === undefined ? undefined : reason("deleted_after_import");
  }

  async function inputOf(section: Section, entry: Input, path: string): Promise<Input> {
    const { table, manifest: rules } = section;
    const columns = columnsOf(section);
    const references = referencesOf(table);
    const members = (rules.members ?? []).flatMap(({ names }) => names);
    const values: [string, unknown][] = [];
    const isList = (name: string) => references.get(name)?.is_list === true;
    // Lists of references, such as roles, are resolved last, because their names depend on the entry's
    // organization.
    const ordered = Object.entries(entry).toSorted(
      ([one], [other]) => Number(isList(one)) - Number(isList(other)),
    );
    for (const [name, value] of ordered) {
      const reference = references.get(name);
      if (reference !== undefined) {
        const { organization_id } = Object.fromEntries(values);
        const resolved = reference.is_list ? resolveEach : resolve;
        const id = await resolved(reference, value, `${path}.${name}`, organization_id);
        values.push([reference.column, id]);
      } else if (columns.includes(name) || rules.requested?.includes(name)) values.push([name, value]);
      else if (!members.includes(name)) collector.add(`${path}.${name}`, whyNot(table, name));
    }
    return Object.fromEntries(values);
  }

  async function resolve(
    { to }: Reference,
    name: unknown,
    path: string,
    organization_id?: unknown,
  ): Promise<unknown> {
    if (name === null) return null;
    const field = isNamedWithin(to) ? "name" : (nameColumnOf(to) ?? "id");
    if (!isText(name)) {
      collector.add(path, reason("not_name_of_record", { record: nounOf(to), field }));
      return unresolved;
    }
    const key = nameText(to, field, name);
    const id = named.get(key) ?? (await idMeant(to, field, name, organization_id));
    if (typeof id === "object") collector.add(path, id);
    else if (id === undefined)
      collector.add(path, reason("no_record_called", { record: nounOf(to), field, name }));
    if (typeof id !== "string") return unresolved;
    if (!isNamedWithin(to)) named.set(key, id);
    return id;
  }

  async function idMeant(
    to: TableName,
    field: string,
    name: string,
    organization_id: unknown,
  ): Promise<string | Reason | undefined> {
    // Unlike a slug, an id always means the same organization, so its meaning is not remembered.
    if (to === "organizations" && isUuid(name)) return (await find(to, { id: name.toLowerCase() }))?.id;
    const within = isNamedWithin(to) ? { within: organization_id } : {};
    const inFile = isNamedWithin(to) ? ownRoles.meant(to, name, organization_id) : undefined;
    const found =
      inFile ??
      (isNamedWithin(to)
        ? await storedRole(to, name, organization_id, store)
        : (await findNamed(field, name, (where) => find(to, where)))?.id);
    // Meanings of email addresses are not looked up, because the mailbox proves to whom an address belongs.
    if (source !== undefined || to === "users" || (isNamedWithin(to) && isUuid(name))) return found;
    const text = nameIn(to, { ...within, [field]: name });
    const was = await meant(to, text);
    if (found === undefined) return was?.row && String(was.row.id);
    if (inFile === undefined && was !== undefined && was.id !== found)
      return reason("name_moved", { record: nounOf(to), id: found, was: was.id });
    note({ table: to, name: text, id: found, by_entry: false }, was);
    return found;
  }

  function find(table: TableName, where: Values): Promise<{ id: string } | undefined> {
    return store.find(table as "users", where as never);
  }

  async function resolveEach(
    reference: Reference,
    names: unknown,
    path: string,
    organization_id?: unknown,
  ): Promise<unknown> {
    if (!Array.isArray(names)) return names;
    return Promise.all(
      names.map((name, index) => resolve(reference, name, `${path}[${index}]`, organization_id)),
    );
  }

  function claim(section: Section, input: Input, whole: Values, id: string, path: string): void {
    const { table } = section;
    const where = whereKey(table, whole);
    const loose = whereLoose(section, input);
    const column = nameColumnOf(table);
    const unique = column === "email" ? { email_key: whole.email_key } : where;
    const keys = [
      ...(where === undefined || unique === undefined ? [] : [keyText(table, unique)]),
      ...(loose === undefined ? [] : [keyText(table, loose)]),
      `${table} ${id}`,
    ];
    const earlier = keys.map((key) => pathOf.get(key)).find((known) => known !== undefined);
    if (earlier !== undefined && id !== unresolved)
      collector.add(path, reason("same_record", { record: nounOf(table), path: earlier }));
    for (const key of keys) pathOf.set(key, path);
    if (column === undefined) return;
    for (const name of [whole[column], input[column]])
      if (isText(name)) named.set(nameText(table, column, name), id);
  }
}

function nameText(table: TableName, column: string, name: string): string {
  return `${table} ${nameForm(column, name)}`;
}

function whyNot(table: TableName, name: string): Reason {
  const fields = fieldsOf(table);
  if (referenceIn(table, name) !== undefined) return reason("given_by_name", { name: memberOf(table, name) });
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return field === undefined || field.sensitive || field.internal
    ? reason("unknown_field")
    : reason("server_set");
}
