/** Compares a manifest with the stored records. Finds every error in the file and the changes to write. */

import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { type AttributeDefinition, fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { findNamed, nameColumnOf, nameForm } from "../../records/definition/natural_key.ts";
import { type Checked, isUuid } from "../../records/formats/check.ts";
import { findByMailbox } from "../../records/names/email.ts";
import { nilUuid } from "../../records/names/ids.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { attributesOfRow, configuredValues } from "../../records/rules/attributes.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, invalidRecord, isText, kindOf, nounOf } from "../access/errors.ts";
import { heldOff } from "../access/own_columns.ts";
import { differing } from "../changes/changes.ts";
import { warnOfPictures } from "../changes/hidden_pictures.ts";
import type { ErrorCollector, PlannedRecord, Reading, Values } from "../manage/planned_record.ts";
import { membershipRoleErrors } from "../records/given_roles.ts";
import { nameOf, whereImported, whereKey, whereLoose } from "./identity.ts";
import {
  columnsOf,
  keyText,
  memberOf,
  pathBelow,
  type Reference,
  referenceIn,
  referencesOf,
} from "./members/entry.ts";
import { isNamedWithin, roleInFile, roleKey } from "./members/role_names.ts";
import { type Section, sections } from "./sections.ts";

/** Returns the error for a record that a request has changed so that the manifest must be read again. */
export function changedMeanwhile(table: TableName): Problem {
  return new Problem("conflict", detail("changed_while_applied", { record: nounOf(table) }));
}

interface Plan {
  /**
   * Each path is a position in the file, such as `apps[2].redirect_uris[0]`. If there are errors, nothing may
   * be written.
   */
  readonly errors: readonly FieldError[];
  readonly records: readonly PlannedRecord[];
}

/**
 * Records in these tables can keep the credentials or settings of the user who created them. A manifest
 * adopts an existing one only under the conditions of `ofOthers`.
 */
const keepers: readonly TableName[] = [
  "organizations",
  "api_keys",
  "oauth_apps",
  "service_accounts",
  "providers",
  "attribute_definitions",
];

/** Replaces a reference with an error, so that the rest of the record can still be checked. */
const unresolved = nilUuid;

export async function planManifest(
  manifest: unknown,
  context: AdminContext,
  onRead?: (done: number) => void,
): Promise<Plan> {
  const { store } = context;
  const errors: FieldError[] = [];
  const records: PlannedRecord[] = [];
  const named = new Map<string, string>();
  const inFile = {
    byKey: (text: string) => named.get(text),
    byIdentifier: (text: string) => named.get(nameText("resources", "identifier", text)),
  };
  const pathOf = new Map<string, string>();
  let definitions: readonly AttributeDefinition[] | undefined;

  const collector: ErrorCollector = {
    add: (path, why) => errors.push({ path, ...why }),
    addBelow(path, found, table) {
      for (const each of found) errors.push({ ...each, path: pathBelow(path, each.path, table) });
    },
  };

  if (!isObject(manifest)) {
    return { errors: [fieldError("the manifest", "not_sections")], records };
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
    const entries = Object.hasOwn(manifest, resourceType) ? manifest[resourceType] : [];
    if (!Array.isArray(entries)) {
      collector.add(resourceType, reason("not_list"));
      continue;
    }
    const column = nameColumnOf(section.table);
    const inSection = (name: string) =>
      new Set<unknown>(entries.map((entry) => (isObject(entry) ? entry[name] : undefined)));
    const names = column === undefined ? new Set() : inSection(column);
    const ids = inSection("id");
    for (const [index, entry] of entries.entries()) {
      const path = `${resourceType}[${index}]`;
      if (isObject(entry)) await planEntry(section, entry, path, names, ids);
      else collector.add(path, reason("not_object"));
      onRead?.(records.length);
    }
    records.push(...((await section.manifest.further?.(records, context)) ?? []));
  }
  return { errors, records };

  async function planEntry(
    section: Section,
    entry: Input,
    path: string,
    names: ReadonlySet<unknown>,
    ids: ReadonlySet<unknown>,
  ): Promise<void> {
    const { table, manifest: rules } = section;
    const input = await inputOf(section, entry, path);
    const { import_source: source } = context;
    // Outside an import, only `keepers` are recognized by their stored name; other names can be personal,
    // such as email addresses.
    const isNamed = source !== undefined || keepers.includes(table);
    const where = isNamed ? whereImported(section, input) : undefined;
    const key = where && keyText(table, where);
    const current = await findCurrent(section, input, path, names);
    let why: Reason | undefined;
    if (source !== undefined) why = await notOfImport(source, table, key, current);
    else if (current === undefined) why = await renamedSince(table, key, ids);
    else why = await ofOthers(table, key, input, current);
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
    collector.addBelow(path, found, table);
    if (table === "memberships") {
      const custom = await membershipRoleErrors(input, current ?? {}, (name) =>
        roleInFile("roles", name, input.organization_id, inFile, store),
      );
      collector.addBelow(path, custom, table);
    }

    const whole: Values = { ...current, ...record };
    warnOfPictures(noted, table, { before: current, after: whole });
    const id = typeof whole.id === "string" ? whole.id : unresolved;
    claim(section, input, whole, id, path);
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
      const checked = rules.change(its, row as never, await withKeptAttributes(table, row, input));
      return { ...checked, record: { ...checked.record, ...(await heldOff(its, table, row, input)) } };
    }

    /** Throws unless the entry means this record and may change it although the row is now `row`. */
    async function revised(read: Values, row: Values): Promise<Values> {
      const isMoved = (name: string) => !isDeepStrictEqual(row[name], read[name]);
      const isRenamed = Object.keys(whereImported(section, input) ?? {}).some(isMoved);
      if (isRenamed && input.id !== row.id) {
        // A name under which a manifest created the record still means it.
        const isKnown = key !== undefined && (await store.isApplied(table, String(row.id), key));
        if (!isKnown) throw changedMeanwhile(table);
      }
      const refused = isMoved("organization_id") ? await ofOthers(table, key, input, row) : undefined;
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

  /**
   * Returns the error if an entry may not change the existing record that has its name. A user could create a
   * record with a name from the file in advance, and get the permissions that the file grants. The entry must
   * therefore contain the record's id, or an earlier manifest must have created it under this name (H-66).
   * Applies to `keepers` and to records of another organization, but not to records of the server.
   */
  async function ofOthers(
    table: TableName,
    key: string | undefined,
    { id: given, organization_id = null }: Input,
    { id, organization_id: owner = null }: Values,
  ): Promise<Reason | undefined> {
    if (given === id) return undefined;
    const isOfServer = owner === null && table !== "organizations" && table !== "api_keys";
    if (isOfServer || (owner === organization_id && !keepers.includes(table))) return undefined;
    const isApplied = await store.isApplied(table, String(id), key);
    return isApplied ? undefined : reason("not_of_manifest", { record: nounOf(table), id: String(id) });
  }

  /**
   * Returns an error if a manifest created an organization under this slug and the slug was changed since.
   * Otherwise the entry would create a second organization, and `--prune` would delete the first.
   */
  async function renamedSince(
    table: TableName,
    key: string | undefined,
    ids: ReadonlySet<unknown>,
  ): Promise<Reason | undefined> {
    if (table !== "organizations" || key === undefined) return undefined;
    for (const id of await store.appliedAs(table, key)) {
      const row = ids.has(id) ? undefined : await store.find(table, { id });
      if (row !== undefined) return reason("renamed_since", { record: nounOf(table), name: row.slug, id });
    }
    return undefined;
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
    const id = isNamedWithin(to)
      ? await roleInFile(to, name, organization_id, inFile, store)
      : (named.get(key) ?? (await findNamed(field, name, (where) => find(to, where)))?.id);
    if (id === undefined)
      collector.add(path, reason("no_record_called", { record: nounOf(to), field, name }));
    else if (!isNamedWithin(to)) named.set(key, id);
    return id ?? unresolved;
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

  async function findCurrent(
    section: Section,
    input: Input,
    path: string,
    names: ReadonlySet<unknown>,
  ): Promise<Values | undefined> {
    const { table } = section;
    const where = whereKey(table, input);
    const found =
      where === undefined
        ? await findLoosely(section, input, path, names)
        : await findByKey(section, where, input, path);
    if (found !== undefined || !isUuid(input.id)) return found;
    return find(table, { id: input.id.toLowerCase() }) as Promise<Values | undefined>;
  }

  /**
   * An email address that only looks like the one in the entry belongs to another user, so it is an error.
   */
  async function findByKey(
    { table }: Section,
    where: Values,
    input: Input,
    path: string,
  ): Promise<Values | undefined> {
    if (nameColumnOf(table) !== "email") return find(table, where) as Promise<Values | undefined>;
    const { meant, look_alike } = await findByMailbox(String(where.email), (email_key) =>
      store.find(table as "users", { email_key }),
    );
    if (look_alike !== undefined && look_alike.id !== input.id)
      collector.add(`${path}.email`, reason("taken"));
    return meant as Values | undefined;
  }

  async function findLoosely(
    section: Section,
    input: Input,
    path: string,
    names: ReadonlySet<unknown>,
  ): Promise<Values | undefined> {
    const { table } = section;
    const where = whereLoose(section, input);
    if (where === undefined) return undefined;
    const column = nameColumnOf(table);
    const rows = (await store.list(table, where as never)) as Values[];
    const fitting = rows.filter((row) => column === undefined || !names.has(row[column]));
    if (fitting.length > 1) {
      // If the entry could mean several records of a table without names, prefers the one that an earlier
      // manifest created. For an app, the entry can name the client_id instead.
      const applied = column === undefined ? await store.appliedAs(table, keyText(table, where)) : [];
      const [made, ...others] = fitting.filter(({ id }) => applied.includes(String(id)));
      if (made !== undefined && others.length === 0) return made;
      const why = reason("ambiguous", { count: fitting.length, record: nounOf(table) });
      collector.add(`${path}.${column ?? "id"}`, why);
    }
    return fitting[0];
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
    const role = roleKey(table, whole);
    if (role !== undefined) for (const key of [role, id]) named.set(key, id);
    if (where !== undefined && column !== undefined) {
      named.set(nameText(table, column, String(where[column])), id);
    }
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
