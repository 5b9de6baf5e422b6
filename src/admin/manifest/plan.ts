/** Reads a manifest against the records as they stand: every fault of the file, or what is to be written. */
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { isUuid } from "../../records/check.ts";
import { emailKey } from "../../records/email.ts";
import { nilUuid } from "../../records/nil_uuid.ts";
import type { AdminContext } from "../access/actor.ts";
import { differing } from "../changes.ts";
import { type Input, isObject, isText, nounOf } from "../faults.ts";
import type { GivenSecret } from "../records/given_secrets.ts";
import type { PasswordInput } from "../records/password_input.ts";
import { keyText, looseKey, nameOf, naturalKey } from "./identity.ts";
import {
  type Faults,
  type GivenTokens,
  type PlannedPart,
  type PlannedRow,
  planKeyPairs,
  readPassword,
  readSecretsOf,
  readTokens,
} from "./parts.ts";
import { columnsOf, pathBelow, type Reference, type Section, sections, type Values } from "./sections.ts";

export interface PlannedRecord extends PlannedRow {
  readonly id: string;
  /** Its kind, such as `app`, and what it is called, such as `web-app`. */
  readonly kind: string;
  readonly name: string;
  /** What the columns that refer to other records are called in the file, by column. */
  readonly referring: Readonly<Record<string, Reference & { readonly name: string }>>;
  readonly password: PasswordInput | undefined;
  /** The tokens of a linked account; undefined when the file does not speak of them. */
  readonly tokens: GivenTokens;
  /** The secrets of the file; undefined when it does not speak of them. */
  readonly secrets: readonly GivenSecret[] | undefined;
  /** The key pairs of the file; undefined when it does not speak of them. */
  readonly key_pairs: readonly PlannedPart[] | undefined;
}

export interface Plan {
  /** Paths are such as `apps[2].redirect_uris[0]`; nothing may be written unless there is none. */
  readonly faults: readonly FieldError[];
  readonly records: readonly PlannedRecord[];
}

/** Stands where a reference leads nowhere, so that the rest of the record is checked too. */
const nobody = nilUuid;

const referenceNoun = { users: "email", organizations: "slug", oauth_apps: "client_id" } as const;

export async function planManifest(manifest: unknown, context: AdminContext): Promise<Plan> {
  const { store } = context;
  const errors: FieldError[] = [];
  const records: PlannedRecord[] = [];
  /** Ids of the records that the file names, its own and others, by table and natural key. */
  const named = new Map<string, string>();
  const pathOf = new Map<string, string>();

  const faults: Faults = {
    add: (path, why) => errors.push({ path, ...why }),
    addBelow(path, found, section) {
      for (const each of found) errors.push({ ...each, path: pathBelow(path, each.path, section) });
    },
  };

  if (!isObject(manifest)) {
    return { faults: [fieldError("the manifest", "not_sections")], records };
  }
  for (const name of Object.keys(manifest)) {
    if (sections.some((section) => section.name === name)) continue;
    faults.add(name, reason("unknown_section", { sections: sections.map((section) => section.name) }));
  }
  const clientIds = new Set(
    entriesOf(manifest.apps).flatMap((entry) => (isObject(entry) ? [entry.client_id] : [])),
  );

  for (const section of sections) {
    const entries = Object.hasOwn(manifest, section.name) ? manifest[section.name] : [];
    if (!Array.isArray(entries)) {
      faults.add(section.name, reason("not_list"));
      continue;
    }
    for (const [index, entry] of entries.entries()) {
      const path = `${section.name}[${index}]`;
      if (isObject(entry)) await planEntry(section, entry, path);
      else faults.add(path, reason("not_object"));
    }
  }
  return { faults: errors, records };

  async function planEntry(section: Section, entry: Input, path: string): Promise<void> {
    const input = await inputOf(section, entry, path);
    const current = await findCurrent(section, input, path);
    const { faults: found, record } =
      current === undefined
        ? section.draft(context, input)
        : section.change(context, current as never, input);
    faults.addBelow(path, found, section);

    const whole: Values = { ...current, ...record };
    const id = typeof whole.id === "string" ? whole.id : nobody;
    claim(section, input, whole, id, path);
    records.push({
      id,
      table: section.table,
      current,
      values: current === undefined ? record : (differing(current as never, record as never) as Values),
      kind: section.kind,
      name: nameOf(section, entry, whole),
      referring: referringOf(section),
      password: readPassword(section, entry, path, faults),
      tokens: readTokens(section, entry, path, faults),
      secrets: readSecretsOf(section, entry, whole, path, { context, faults }),
      key_pairs: await planKeyPairs(section, entry, current, { id, path, context, faults }),
    });
  }

  /** The entry under the names of the columns; members that are none are faults. */
  async function inputOf(section: Section, entry: Input, path: string): Promise<Input> {
    const columns = columnsOf(section);
    const given: [string, unknown][] = [];
    for (const [name, value] of Object.entries(entry)) {
      const reference = Object.hasOwn(section.references, name) ? section.references[name] : undefined;
      if (reference !== undefined) {
        given.push([reference.column, await resolve(reference, value, `${path}.${name}`)]);
      } else if (columns.includes(name)) given.push([name, value]);
      else if (!section.nested.includes(name)) faults.add(`${path}.${name}`, whyNot(section, name));
    }
    return Object.fromEntries(given);
  }

  /** The id of the record that a name stands for: one of this file, or one that is there. */
  async function resolve({ to }: Reference, name: unknown, path: string): Promise<unknown> {
    if (name === null) return null;
    if (!isText(name)) {
      faults.add(path, reason("not_name_of_record", { record: nounOf(to), field: referenceNoun[to] }));
      return nobody;
    }
    const where =
      to === "users"
        ? { email_key: emailKey(name) }
        : to === "organizations"
          ? { slug: name }
          : { client_id: name };
    const key = keyText(to, where);
    const id = named.get(key) ?? (await store.find(to, where as never))?.id;
    if (id === undefined)
      faults.add(path, reason("no_record_called", { record: nounOf(to), field: referenceNoun[to], name }));
    else named.set(key, id);
    return id ?? nobody;
  }

  /** The record that the entry speaks of, by what is unique to it, else by its id. */
  async function findCurrent(section: Section, input: Input, path: string): Promise<Values | undefined> {
    const where = naturalKey(section.table, input);
    const found =
      where === undefined
        ? await findLoosely(section, input, path)
        : await store.find(section.table, where as never);
    if (found !== undefined || !isUuid(input.id)) return found;
    return store.find(section.table, { id: input.id.toLowerCase() } as never);
  }

  async function findLoosely(section: Section, input: Input, path: string): Promise<Values | undefined> {
    const where = looseKey(section.table, input);
    if (where === undefined) return undefined;
    const rows = (await store.list(section.table, where as never)) as Values[];
    const fitting = rows.filter((row) => !("client_id" in row && clientIds.has(row.client_id)));
    if (fitting.length > 1) {
      const member = section.table === "api_keys" ? "id" : "client_id";
      const why = reason("ambiguous", { count: fitting.length, record: nounOf(section.table) });
      faults.add(`${path}.${member}`, why);
    }
    return fitting[0];
  }

  /** A record of the file has its name and its id for itself. */
  function claim(section: Section, input: Input, whole: Values, id: string, path: string): void {
    const { table } = section;
    const where = naturalKey(table, whole);
    const loose = looseKey(table, input);
    const keys = [
      ...(where === undefined ? [] : [keyText(table, where)]),
      ...(loose === undefined ? [] : [keyText(table, loose)]),
      `${table} ${id}`,
    ];
    const earlier = keys.map((key) => pathOf.get(key)).find((known) => known !== undefined);
    if (earlier !== undefined && id !== nobody)
      faults.add(path, reason("same_record", { record: nounOf(table), path: earlier }));
    for (const key of keys) pathOf.set(key, path);
    if (where !== undefined) named.set(keyText(table, where), id);
  }
}

function entriesOf(section: unknown): readonly unknown[] {
  return Array.isArray(section) ? section : [];
}

function referringOf({ references }: Section): PlannedRecord["referring"] {
  return Object.fromEntries(
    Object.entries(references).map(([name, reference]) => [reference.column, { ...reference, name }]),
  );
}

function whyNot({ references, server_set }: Section, name: string): Reason {
  const by = Object.entries(references).find(([, { column }]) => column === name);
  if (by !== undefined) return reason("given_by_name", { name: by[0] });
  return [...server_set, "created_at", "updated_at"].includes(name)
    ? reason("server_set")
    : reason("unknown_field");
}
