/**
 * Members of a manifest's records that are no columns of theirs: passwords, secrets, tokens and key pairs.
 */
import { type FieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { isUuid } from "../../records/check.ts";
import type { ServiceAccountKeyPair, TableName } from "../../records/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import { differing } from "../changes.ts";
import { type Input, isObject } from "../faults.ts";
import { type GivenSecret, readSecrets } from "../records/given_secrets.ts";
import { draftKeyPair, draftKeyPairChange } from "../records/key_pairs.ts";
import { type PasswordInput, passwordInputFault } from "../records/password_input.ts";
import { keyPairColumns, type Section, type Values } from "./sections.ts";

/** A record of one table that is to be added (`current` undefined) or changed. */
export interface PlannedRow {
  readonly table: TableName;
  readonly current: Values | undefined;
  /** The whole new row, or the columns that differ. */
  readonly values: Values;
}

/** A row that is part of a record, such as a key pair of a service account. */
export interface PlannedPart extends PlannedRow {
  /** What it is called within its record. */
  readonly name: string;
}

/** How messages are added to the faults of the file: below a path as the file shows it. */
export interface Faults {
  add(path: string, why: Reason): void;
  /** Faults of a record, whose paths are JSON pointers into it. */
  addBelow(path: string, found: readonly FieldError[], section?: Section): void;
}

/** The tokens of a linked account, in the clear; a member that is absent stays as it is. */
export interface GivenTokens {
  readonly access_token?: string;
  readonly refresh_token?: string | null;
}

const longestToken = 16_384;

export function readPassword(
  section: Section,
  entry: Input,
  path: string,
  faults: Faults,
): PasswordInput | undefined {
  if (!section.nested.includes("password") || entry.password === undefined) return undefined;
  const why = passwordInputFault(entry.password);
  if (why !== undefined) faults.add(`${path}.password`, why);
  return entry.password as PasswordInput;
}

export function readTokens(section: Section, entry: Input, path: string, faults: Faults): GivenTokens {
  const given: { access_token?: string; refresh_token?: string | null } = {};
  if (section.table !== "oauth_accounts") return given;
  for (const name of ["access_token", "refresh_token"] as const) {
    const value = entry[name];
    if (value === undefined) continue;
    if (name === "refresh_token" && value === null) given.refresh_token = null;
    else if (typeof value === "string" && value !== "" && value.isWellFormed()) {
      if (value.length > longestToken)
        faults.add(`${path}.${name}`, reason("too_long", { characters: longestToken }));
      given[name] = value;
    } else faults.add(`${path}.${name}`, reason("not_text"));
  }
  return given;
}

export function readSecretsOf(
  section: Section,
  entry: Input,
  app: Values,
  path: string,
  { context, faults }: Pick<Surroundings, "context" | "faults">,
): readonly GivenSecret[] | undefined {
  if (!section.nested.includes("secrets") || entry.secrets === undefined) return undefined;
  const { faults: found, record } = readSecrets(entry.secrets, app.public === true, {
    actor: context.actor,
    warn: (message) =>
      context.warn?.(`${path}.${message.replace(/^\/secrets\/(\d+)/, "secrets[$1]").replace("/", ".")}`),
  });
  faults.addBelow(path, found);
  return record;
}

interface Surroundings {
  /** Id of the service account. */
  readonly id: string;
  readonly path: string;
  readonly context: AdminContext;
  readonly faults: Faults;
}

export async function planKeyPairs(
  section: Section,
  entry: Input,
  account: Values | undefined,
  around: Surroundings,
): Promise<PlannedPart[] | undefined> {
  if (!section.nested.includes("key_pairs") || entry.key_pairs === undefined) return undefined;
  const { id, path, context, faults } = around;
  if (!Array.isArray(entry.key_pairs)) {
    faults.add(`${path}.key_pairs`, reason("not_list"));
    return [];
  }
  const existing =
    account === undefined
      ? []
      : await context.store.list("service_account_key_pairs", { service_account_id: id });
  const planned: PlannedPart[] = [];
  const keyIds = new Set<unknown>();
  for (const [index, pair] of entry.key_pairs.entries()) {
    const below = `${path}.key_pairs[${index}]`;
    if (!isObject(pair)) {
      faults.add(below, reason("not_object"));
      continue;
    }
    for (const name of Object.keys(pair)) {
      if (!keyPairColumns.includes(name)) faults.add(`${below}.${name}`, reason("unknown_field"));
    }
    const input = Object.fromEntries(Object.entries(pair).filter(([name]) => keyPairColumns.includes(name)));
    const current = existing.find(({ key_id }) => key_id === input.key_id);
    if (keyIds.has(input.key_id)) faults.add(`${below}.key_id`, reason("key_id_repeated"));
    keyIds.add(input.key_id);
    planned.push(await planKeyPair(current, input, { ...around, path: below }));
  }
  return planned;
}

async function planKeyPair(
  current: ServiceAccountKeyPair | undefined,
  input: Input,
  { id, path, context, faults }: Surroundings,
): Promise<PlannedPart> {
  const table = "service_account_key_pairs";
  const name = `key_pairs[${String(input.key_id)}]`;
  if (current === undefined) {
    const { faults: found, record } = draftKeyPair(context, id, input);
    faults.addBelow(path, found);
    if (isUuid(input.id) && (await context.store.find(table, { id: record.id })) !== undefined) {
      faults.add(`${path}.id`, reason("id_of_other_key_pair"));
    }
    return { table, name, current, values: record };
  }
  const { faults: found, record } = draftKeyPairChange(context, current, input);
  faults.addBelow(path, found);
  return { table, name, current, values: differing<typeof table>(current, record) };
}
