/**
 * Attributes of records: the ready-made ones, those that a record has, and the values they may have (OC-7).
 */
import { type Reason, reason } from "../../errors/field_errors.ts";
import type { AttributeDefinition, TableName, User } from "../definition/definition.ts";
import { type AttributeRecord, attributeRecords, attributeTables } from "../names/attributes.ts";
import { isSameMailbox } from "../names/email.ts";
import { isStrings, textOfJson } from "../names/json_shapes.ts";
import { matchesPattern, parsePattern } from "../names/linear_pattern.ts";
import { skeletonOf } from "../names/look_alikes.ts";
import { isPlainText } from "../names/plain_text.ts";

export type Attribute = Pick<
  AttributeDefinition,
  | ("record_type" | "name" | "value_type" | "label" | "writers" | "readers")
  | ("pattern" | "max" | "claim" | "scopes" | "searchable")
>;

const standard = (name: string, pattern: string | null, given: Partial<Attribute> = {}): Attribute => ({
  ...{ record_type: "users", name, value_type: "string", label: null, pattern, max: null, claim: name },
  ...{ writers: ["user", "admin"], readers: ["user", "admin"], scopes: ["profile"], searchable: false },
  ...given,
});

/**
 * The ready-made attributes of users (OpenID Connect Core 5.1). Applications treat `preferred_username` as
 * the account's name (docs/decisions/organizations.md), so it is unique and only administrators set it.
 */
export const standardAttributes: readonly Attribute[] = [
  standard("given_name", null),
  standard("family_name", null),
  standard("preferred_username", "[A-Za-z0-9][A-Za-z0-9._-]*", { writers: ["admin"], max: 64 }),
  standard("locale", "[A-Za-z]{2,3}[A-Za-z0-9-]*", { max: 35 }),
  standard("zoneinfo", "[A-Za-z][A-Za-z0-9_+/-]*", { max: 64 }),
  standard("phone_number", "[+][1-9][0-9]{4,14}", { readers: ["user"], scopes: ["phone"] }),
];

export const standardAttribute = ({ record_type, name }: Pick<Attribute, "record_type" | "name">) =>
  standardAttributes.find((each) => each.record_type === record_type && each.name === name);

/** The attribute that must be unique among users. */
export const usernameAttribute = "preferred_username";

/** Returns the unique key of the username, the same for all look-alikes; null without a username. */
export function usernameKey(attributes: Readonly<Record<string, unknown>> | null): string | null {
  const name = attributes?.[usernameAttribute];
  return typeof name === "string" ? skeletonOf(name) || name.toLowerCase() : null;
}

/**
 * Returns whether a username is an email address other than the user's own verified one. An app with
 * `email_as_username` would mistake the user for the holder of that address.
 */
export function isForeignAddress(
  name: unknown,
  { email, email_verified_at = null }: Partial<Pick<User, "email" | "email_verified_at">>,
): boolean {
  if (typeof name !== "string" || !name.normalize("NFKC").includes("@")) return false;
  return email === undefined || email_verified_at === null || !isSameMailbox(email, name);
}

/**
 * Returns the columns to change when a user gets a new email address. They remove a username that is an email
 * address other than the user's verified one, because that address may get another holder.
 */
export function usernameAfterEmail({
  attributes,
  ...account
}: Pick<User, "email" | "email_verified_at" | "attributes">): Partial<
  Pick<User, "attributes" | "username_key">
> {
  if (attributes === null || !isForeignAddress(attributes[usernameAttribute], account)) return {};
  const { [usernameAttribute]: _, ...others } = attributes;
  return { attributes: Object.keys(others).length === 0 ? null : others, username_key: null };
}

/**
 * Returns the attributes that a kind of record may have in this organization, or without an organization if
 * the id is null.
 */
export function attributesOf(
  record_type: AttributeRecord,
  organization_id: string | null,
  definitions: readonly AttributeDefinition[],
): readonly Attribute[] {
  const ofOwner = (owner: string | null) =>
    definitions
      .filter((each) => each.record_type === record_type && each.organization_id === owner)
      .map(withinStandard);
  const all: Attribute[] = [];
  for (const each of [
    ...ofOwner(null),
    ...standardAttributes.filter((known) => known.record_type === record_type),
    ...(organization_id === null ? [] : ofOwner(organization_id)),
  ])
    if (all.every(({ name }) => name !== each.name)) all.push(each);
  return all;
}

function withinStandard(definition: AttributeDefinition): Attribute {
  const { pattern = null, max = null } = standardAttribute(definition) ?? {};
  return { ...definition, pattern: definition.pattern ?? pattern, max: definition.max ?? max };
}

/**
 * Returns whether this writer may set the attribute. Only platform administrators (`platform`) may set an
 * attribute without writers.
 */
export function isWrittenBy(
  writer: AttributeDefinition["writers"][number],
  platform: boolean,
  { writers }: Pick<Attribute, "writers">,
): boolean {
  return writers.includes(writer) || (platform && writers.length === 0);
}

/**
 * Returns the values that a manifest sets: those that administrators may write. Usernames that are email
 * addresses are left out, because a new user has not verified the address.
 */
export function configuredValues(
  values: Readonly<Record<string, unknown>>,
  attributes: readonly Attribute[],
): Record<string, unknown> {
  const written = Object.entries(values).filter(([name, value]) => {
    const attribute = attributes.find((each) => each.name === name);
    const isAddress =
      attribute?.record_type === "users" && name === usernameAttribute && isForeignAddress(value, {});
    return attribute !== undefined && isWrittenBy("admin", true, attribute) && !isAddress;
  });
  return Object.fromEntries(written);
}

/**
 * Returns the organization whose definitions apply to a record in addition to the server's; null if only the
 * server's apply.
 */
export function organizationOfRow(
  table: TableName,
  { id, organization_id }: Readonly<Record<string, unknown>>,
): string | null {
  if (table === "users") return null;
  const owner = table === "organizations" ? id : organization_id;
  return typeof owner === "string" ? owner : null;
}

/** Returns the kind of record in a table; undefined if its records have no attributes. */
export const recordTypeOf = (table: TableName): AttributeRecord | undefined =>
  attributeRecords.find((record_type) => attributeTables[record_type] === table);

/** Returns the attributes that this record may have: the ready-made ones and those in `definitions`. */
export function attributesOfRow(
  table: TableName,
  row: Readonly<Record<string, unknown>>,
  definitions: readonly AttributeDefinition[],
): readonly Attribute[] {
  const record_type = recordTypeOf(table);
  return record_type === undefined
    ? []
    : attributesOf(record_type, organizationOfRow(table, row), definitions);
}

const mostCharacters = 256;
/** Maximum entries of a list, even if its `max` is higher. */
const mostEntries = 100;

/** Maximum size in bytes of those attributes of a record that have the same readers, as JSON. */
export const mostAttributeBytes = 16_384;

/**
 * Returns whether the values of the named attributes, with all values that have the same readers, are too
 * large. Values with other readers do not count, because the limit would reveal their size to writers who may
 * not read them.
 */
export function areTooLarge(
  values: Readonly<Record<string, unknown>>,
  names: readonly string[],
  attributes: readonly Attribute[],
): boolean {
  const readersOf = (name: string) =>
    attributes
      .find((each) => each.name === name)
      ?.readers.toSorted()
      .join(" ") ?? "";
  return [...new Set(names.map(readersOf))].some((readers) => {
    const counted = Object.entries(values).filter(([name]) => readersOf(name) === readers);
    return Buffer.byteLength(JSON.stringify(Object.fromEntries(counted))) > mostAttributeBytes;
  });
}

const longestText = 1024;

const dateShape = /^\d{4}-\d\d-\d\d$/;

const isDate = (text: string): boolean => {
  const day = dateShape.test(text) ? new Date(`${text}T00:00:00Z`) : undefined;
  return day !== undefined && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
};

/** Returns why a record cannot have this value; undefined if it can. */
export function valueReason(attribute: Attribute, value: unknown): Reason | undefined {
  const { value_type, max } = attribute;
  switch (value_type) {
    case "string":
      return typeof value === "string" ? textReason(attribute, value, max) : reason("not_text");
    case "number":
      if (typeof value !== "number" || !Number.isFinite(value)) return reason("not_number");
      return max !== null && value > max ? reason("too_large", { max }) : undefined;
    case "boolean":
      return typeof value === "boolean" ? undefined : reason("not_boolean");
    case "date":
      return typeof value === "string" && isDate(value) ? undefined : reason("not_date");
    case "list": {
      if (!isStrings(value)) return reason("not_list_of_strings");
      const items = Math.min(max ?? mostEntries, mostEntries);
      if (value.length > items) return reason("list_too_long", { items, characters: mostCharacters });
      return value.map((entry) => textReason(attribute, entry, null)).find((why) => why !== undefined);
    }
    default:
      return value_type satisfies never;
  }
}

const charactersOf = (max: number | null): number => Math.min(max ?? mostCharacters, longestText);

const numberShape = /^[+-]?\d{1,300}(?:\.\d{1,300})?$/;

/**
 * Parses the text of a form field as a value; a list has one entry per line. Invalid text is returned for
 * `valueReason` to reject.
 */
export function valueOfText({ value_type }: Pick<Attribute, "value_type">, text: string): unknown {
  const trimmed = text.trim();
  if (value_type === "number") return numberShape.test(trimmed) ? Number(trimmed) : text;
  if (value_type === "boolean") return ["true", "false"].includes(trimmed) ? trimmed === "true" : text;
  if (value_type !== "list") return trimmed;
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "");
}

export const textOfValue = (value: unknown): string =>
  isStrings(value) ? value.join("\n") : textOfJson(value ?? "");

/**
 * Maximum length, in characters, of a value that lists can be filtered by. An index entry of PostgreSQL holds
 * at most 2,704 bytes.
 */
export const longestSearchedValue = 200;

/**
 * Returns the word by which records with this value, or entry of a list, are found: the attribute's name, and
 * the value in lower case. Undefined if the value is too long.
 */
export function valueWord(name: string, value: unknown): string | undefined {
  const text = textOfJson(value).normalize("NFKC").toLowerCase();
  return text.length > longestSearchedValue ? undefined : `${name}=${text}`;
}

function textReason({ pattern }: Attribute, text: string, max: number | null): Reason | undefined {
  const characters = charactersOf(max);
  if (text.trim() === "") return reason("empty");
  if (text.length > characters) return reason("too_long", { characters });
  if (!isPlainText(text, "line")) return reason("invisible_characters");
  const parsed = pattern === null ? undefined : parsePattern(pattern);
  if (pattern === null || parsed === undefined || matchesPattern(parsed, text)) return undefined;
  return reason("not_of_pattern", { pattern });
}
