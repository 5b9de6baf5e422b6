/** Reads a manifest against the records as they stand: every fault of the file, or what is to be written. */
import type { FieldFault } from "../errors.ts";
import { isUuid } from "../records/check.ts";
import type { ServiceAccountKeyPair, TableName } from "../records/definition.ts";
import { emailKey } from "../records/email.ts";
import type { AdminContext } from "./actor.ts";
import { type GivenSecret, readSecrets } from "./app_secrets.ts";
import { differing } from "./changes.ts";
import { type Input, isObject, isText, nounOf } from "./faults.ts";
import { draftKeyPair, draftKeyPairChange } from "./key_pairs.ts";
import {
  columnsOf,
  keyPairColumns,
  pathBelow,
  type Reference,
  type Section,
  sections,
  type Values,
} from "./manifest_sections.ts";
import { type PasswordInput, passwordInputFault } from "./password_input.ts";

/** A record of one table that is to be added (`current` undefined) or changed. */
export interface PlannedRow {
  readonly table: TableName;
  readonly current: Values | undefined;
  /** The whole new row, or the columns that differ. */
  readonly values: Values;
}

export interface PlannedRecord extends PlannedRow {
  /** Its kind and name, such as `app web-app`. */
  readonly label: string;
  readonly password: PasswordInput | undefined;
  /** The secrets of the file; undefined when it does not speak of them. */
  readonly secrets: readonly GivenSecret[] | undefined;
  readonly key_pairs: readonly PlannedRow[];
}

export interface Plan {
  /** One line for each fault, with its path; nothing may be written unless there is none. */
  readonly faults: readonly string[];
  readonly records: readonly PlannedRecord[];
}

/** Stands where a reference leads nowhere, so that the rest of the record is checked too. */
const nobody = "00000000-0000-0000-0000-000000000000";

const referenceNoun = { users: "e-mail", organizations: "slug", oauth_apps: "client_id" } as const;

export async function planManifest(manifest: unknown, context: AdminContext): Promise<Plan> {
  const { store } = context;
  const faults: string[] = [];
  const records: PlannedRecord[] = [];
  /** Names of the file's own records, by table and natural key. */
  const named = new Map<string, string>();
  const pathOf = new Map<string, string>();

  const fault = (path: string, message: string) => faults.push(`${path}: ${message}`);
  const faultsBelow = (path: string, found: readonly FieldFault[], section?: Section) => {
    for (const each of found) fault(pathBelow(path, each.path, section), each.message);
  };

  if (!isObject(manifest)) {
    return { faults: ["the manifest: must be an object of sections"], records };
  }
  for (const name of Object.keys(manifest)) {
    if (sections.some((section) => section.name === name)) continue;
    fault(name, `is not a section; there are ${sections.map((section) => section.name).join(", ")}`);
  }
  const clientIds = new Set(
    entriesOf(manifest.apps).flatMap((entry) => (isObject(entry) ? [entry.client_id] : [])),
  );

  for (const section of sections) {
    const entries = Object.hasOwn(manifest, section.name) ? manifest[section.name] : [];
    if (!Array.isArray(entries)) {
      fault(section.name, "must be a list");
      continue;
    }
    for (const [index, entry] of entries.entries()) {
      const path = `${section.name}[${index}]`;
      if (isObject(entry)) await planEntry(section, entry, path);
      else fault(path, "must be an object");
    }
  }
  return { faults, records };

  async function planEntry(section: Section, entry: Input, path: string): Promise<void> {
    const input = await inputOf(section, entry, path);
    const current = await findCurrent(section, input, path);
    const { faults: found, record } =
      current === undefined
        ? section.draft(context, input)
        : section.change(context, current as never, input);
    faultsBelow(path, found, section);

    const whole: Values = { ...current, ...record };
    const id = typeof whole.id === "string" ? whole.id : nobody;
    claim(section, whole, id, path);
    records.push({
      table: section.table,
      current,
      values: current === undefined ? record : (differing(current as never, record as never) as Values),
      label: `${section.kind} ${labelOf(section, entry, whole)}`,
      password: readPassword(entry, section, path),
      secrets: secretsOf(section, entry, whole, path),
      key_pairs: await keyPairsOf(section, entry, current, id, path),
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
      else if (!section.nested.includes(name)) fault(`${path}.${name}`, whyNot(section, name));
    }
    return Object.fromEntries(given);
  }

  /** The id of the record that a name stands for: one of this file, or one that is there. */
  async function resolve({ to }: Reference, name: unknown, path: string): Promise<unknown> {
    if (name === null) return null;
    if (!isText(name)) {
      fault(path, `must be the ${referenceNoun[to]} of a ${nounOf(to)}`);
      return nobody;
    }
    const where =
      to === "users"
        ? { email_key: emailKey(name) }
        : to === "organizations"
          ? { slug: name }
          : { client_id: name };
    const id = named.get(keyText(to, where)) ?? (await store.find(to, where as never))?.id;
    if (id === undefined)
      fault(path, `there is no ${nounOf(to)} with the ${referenceNoun[to]} ${JSON.stringify(name)}`);
    return id ?? nobody;
  }

  /** The record that the entry speaks of, by its natural key, else by its id. */
  async function findCurrent(section: Section, input: Input, path: string): Promise<Values | undefined> {
    const where = naturalKey(section.table, input);
    const found =
      where === undefined
        ? await findUnnamedApp(section, input, path)
        : await store.find(section.table, where as never);
    if (found !== undefined || !isUuid(input.id)) return found;
    return store.find(section.table, { id: input.id.toLowerCase() } as never);
  }

  /** An app without client_id is known again by its name, owner and organization. */
  async function findUnnamedApp(section: Section, input: Input, path: string): Promise<Values | undefined> {
    const { name, owner_id, organization_id = null } = input;
    if (section.table !== "oauth_apps" || input.client_id !== undefined || isUuid(input.id)) return undefined;
    if (!isText(name) || !isUuid(owner_id)) return undefined;
    const apps = (await store.list("oauth_apps", { owner_id, name })).filter(
      (app) => app.organization_id === organization_id && !clientIds.has(app.client_id),
    );
    if (apps.length > 1)
      fault(`${path}.client_id`, `is required: the owner has ${apps.length} apps of this name`);
    return apps[0];
  }

  /** A record of the file has its name and its id for itself. */
  function claim(section: Section, whole: Values, id: string, path: string): void {
    const where = naturalKey(section.table, whole);
    const keys = [...(where === undefined ? [] : [keyText(section.table, where)]), `${section.table} ${id}`];
    const earlier = keys.map((key) => pathOf.get(key)).find((known) => known !== undefined);
    if (earlier !== undefined && id !== nobody)
      fault(path, `is the same ${nounOf(section.table)} as ${earlier}`);
    for (const key of keys) pathOf.set(key, path);
    if (where !== undefined) named.set(keyText(section.table, where), id);
  }

  function readPassword(entry: Input, section: Section, path: string): PasswordInput | undefined {
    if (!section.nested.includes("password") || entry.password === undefined) return undefined;
    const message = passwordInputFault(entry.password);
    if (message !== undefined) fault(`${path}.password`, message);
    return entry.password as PasswordInput;
  }

  function secretsOf(
    section: Section,
    entry: Input,
    app: Values,
    path: string,
  ): readonly GivenSecret[] | undefined {
    if (!section.nested.includes("secrets") || entry.secrets === undefined) return undefined;
    const { faults: found, record } = readSecrets(entry.secrets, app.public === true);
    faultsBelow(path, found);
    return record;
  }

  async function keyPairsOf(
    section: Section,
    entry: Input,
    account: Values | undefined,
    account_id: string,
    path: string,
  ): Promise<PlannedRow[]> {
    if (!section.nested.includes("key_pairs") || entry.key_pairs === undefined) return [];
    if (!Array.isArray(entry.key_pairs)) {
      fault(`${path}.key_pairs`, "must be a list");
      return [];
    }
    const table = "service_account_key_pairs";
    const existing = account === undefined ? [] : await store.list(table, { service_account_id: account_id });
    const planned: PlannedRow[] = [];
    const keyIds = new Set<unknown>();
    for (const [index, pair] of entry.key_pairs.entries()) {
      const below = `${path}.key_pairs[${index}]`;
      if (!isObject(pair)) {
        fault(below, "must be an object");
        continue;
      }
      for (const name of Object.keys(pair)) {
        if (!keyPairColumns.includes(name)) fault(`${below}.${name}`, "is not a field of this record");
      }
      const input = Object.fromEntries(
        Object.entries(pair).filter(([name]) => keyPairColumns.includes(name)),
      );
      const current = existing.find(({ key_id }) => key_id === input.key_id);
      if (keyIds.has(input.key_id)) fault(`${below}.key_id`, "is the same as that of an earlier key pair");
      keyIds.add(input.key_id);
      planned.push(await planKeyPair(current, account_id, input, below));
    }
    return planned;
  }

  async function planKeyPair(
    current: ServiceAccountKeyPair | undefined,
    account_id: string,
    input: Input,
    path: string,
  ): Promise<PlannedRow> {
    const table = "service_account_key_pairs";
    if (current === undefined) {
      const { faults: found, record } = draftKeyPair(context, account_id, input);
      faultsBelow(path, found);
      if (isUuid(input.id) && (await store.find(table, { id: record.id })) !== undefined) {
        fault(`${path}.id`, "is that of another key pair");
      }
      return { table, current, values: record };
    }
    const { faults: found, record } = draftKeyPairChange(context, current, input);
    faultsBelow(path, found);
    return { table, current, values: differing<typeof table>(current, record) };
  }
}

function entriesOf(section: unknown): readonly unknown[] {
  return Array.isArray(section) ? section : [];
}

function whyNot({ references, server_set }: Section, name: string): string {
  const by = Object.entries(references).find(([, { column }]) => column === name);
  if (by !== undefined) return `is given by name, as ${by[0]}`;
  return [...server_set, "created_at", "updated_at"].includes(name)
    ? "is set by the server"
    : "is not a field of this record";
}

/** What makes a record the same from one run to the next; undefined when the entry does not say it. */
function naturalKey(table: TableName, values: Values): Values | undefined {
  const pair = (one: string, other: string) => {
    const [a, b] = [values[one], values[other]];
    return isUuid(a) && isUuid(b) ? { [one]: a, [other]: b } : undefined;
  };
  switch (table) {
    case "organizations":
      return isText(values.slug) ? { slug: values.slug } : undefined;
    case "users":
    case "service_accounts":
      return isText(values.email) ? { email_key: emailKey(values.email) } : undefined;
    case "oauth_apps":
      return isText(values.client_id) ? { client_id: values.client_id } : undefined;
    case "memberships":
      return pair("user_id", "organization_id");
    case "oauth_consents":
      return pair("user_id", "app_id");
    default:
      return undefined;
  }
}

function keyText(table: TableName, where: Values): string {
  return `${table} ${JSON.stringify(where)}`;
}

function labelOf({ table, references }: Section, entry: Input, whole: Values): string {
  switch (table) {
    case "organizations":
      return String(whole.slug);
    case "users":
    case "service_accounts":
      return String(whole.email);
    case "oauth_apps":
      return String(whole.client_id);
    default:
      return Object.keys(references)
        .map((name) => String(entry[name]))
        .join(" ");
  }
}
