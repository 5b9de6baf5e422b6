/**
 * Validates the values that a caller gives for a record, by the definition: every fault at once, each with
 * its path.
 */
import { type FieldError, fieldError, type Reason, reason } from "../errors/field_errors.ts";
import { brandFaults } from "./brand.ts";
import { fieldsOf, type NewRow, type Row, type TableName } from "./definition.ts";
import { isEmail } from "./email.ts";
import type { Field } from "./field.ts";
import { scopeDescriptionFaults } from "./metadata.ts";
import { allowedGrant, grantNames, isReservedClientId, isScopeToken, responseTypes } from "./names.ts";
import { isInlinePicture } from "./picture.ts";
import { isPlainText } from "./plain_text.ts";
import { redirectUriFault } from "./redirect_uris.ts";

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const slugShape = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const clientIdShape = /^[\x20-\x7E]+$/;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuidShape.test(value);
}

/**
 * The moment that a text of RFC 3339 names; undefined for any other text, and outside the years 1 to 9999 of
 * UTC.
 */
export function momentOf(text: string): Date | undefined {
  const moment = isoTime.test(text) ? new Date(text) : undefined;
  return moment !== undefined && isStorableTime(moment) ? moment : undefined;
}

/**
 * ISO 8601 has no other years without an agreement on how they are written, and databases write them each in
 * its own way.
 */
function isStorableTime(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** PostgreSQL stores no NUL in any text or JSON, and half a surrogate pair is no text at all. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (Array.isArray(value)) return value.every(isStorable);
  if (isObject(value))
    return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
  return true;
}

/**
 * Whether nothing of a text is seen where it is shown: a record of that name could not even be followed as a
 * link.
 */
function isBlank(text: string): boolean {
  return !/[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(text);
}

/**
 * Levels of nesting: beyond any need, and far below the depth at which a recursion would exhaust the stack.
 */
const deepest = 32;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Date) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}

function isHttpUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") && url.username === "";
}

/** A value of the field's kind, or the reason against it. */
function read(field: Field, value: unknown): { readonly value: unknown } | Reason {
  if (value === null) return field.required ? reason("not_null") : { value: null };
  if (field.kind === "json" && isDeeperThan(deepest, value)) {
    return reason("too_deep", { levels: deepest });
  }
  if (!isStorable(value)) return reason("unstorable");
  switch (field.kind) {
    case "string":
    case "text":
      if (typeof value !== "string") return reason("not_string");
      if (field.not_empty && isBlank(value)) return reason("empty");
      if (field.max_length !== undefined && value.length > field.max_length) {
        return reason("too_long", { characters: field.max_length });
      }
      if (field.values !== undefined && !field.values.includes(value)) {
        return reason("not_one_of", { values: field.values });
      }
      return { value };
    case "uuid":
      return isUuid(value) ? { value: value.toLowerCase() } : reason("not_uuid");
    case "int":
      if (typeof value !== "number" || !Number.isInteger(value)) return reason("not_integer");
      if (field.min !== undefined && value < field.min) return reason("too_small", { min: field.min });
      if (field.max !== undefined && value > field.max) return reason("too_large", { max: field.max });
      return { value };
    case "bool":
      return typeof value === "boolean" ? { value } : reason("not_boolean");
    case "time": {
      if (value instanceof Date && isStorableTime(value)) return { value };
      const moment = typeof value === "string" ? momentOf(value) : undefined;
      return moment === undefined ? reason("not_time") : { value: moment };
    }
    case "json":
      if (field.shape === "strings" && !isStrings(value)) return reason("not_list_of_strings");
      if (field.most !== undefined && isStrings(value)) {
        const { items, characters } = field.most;
        if (value.length > items || value.some((item) => item.length > characters)) {
          return reason("list_too_long", { items, characters });
        }
      }
      if (field.shape === "object" && !isObject(value)) return reason("not_object");
      if (field.shape === "objects" && !(Array.isArray(value) && value.every(isObject)))
        return reason("not_list_of_objects");
      return { value };
    case "signature":
      return Buffer.isBuffer(value) && value.length === 32 ? { value } : reason("not_signature");
    default:
      return field.kind satisfies never;
  }
}

type Values = Record<string, unknown>;

function faultsOfList(
  path: string,
  value: unknown,
  whyNot: (item: string) => Reason | undefined,
): FieldError[] {
  if (!isStrings(value)) return [];
  return value.flatMap((item, index) => {
    const why = whyNot(item);
    return why === undefined ? [] : [{ path: `${path}/${index}`, ...why }];
  });
}

const scopeFault = (scope: string) => (isScopeToken(scope) ? undefined : reason("not_scope"));

/** The rules that are about more than one field's kind, by table. */
const furtherRules: Partial<Record<TableName, (record: Values) => FieldError[]>> = {
  users: ({ email, avatar_url }) => [
    ...(typeof email === "string" && !isEmail(email) ? [fieldError("/email", "not_email")] : []),
    ...urlFaults("/avatar_url", avatar_url),
  ],
  organizations: ({ slug, logo_url, settings }) => [
    ...(typeof slug === "string" && !slugShape.test(slug) ? [fieldError("/slug", "not_slug")] : []),
    ...pictureFaults("/logo_url", logo_url),
    ...brandFaults(settings),
    ...audienceFaults(settings),
  ],
  oauth_apps: (app) => [
    ...(typeof app.client_id === "string" && !clientIdShape.test(app.client_id)
      ? [fieldError("/client_id", "not_client_id")]
      : []),
    ...(typeof app.client_id === "string" && isReservedClientId(app.client_id)
      ? [fieldError("/client_id", "reserved_client_id")]
      : []),
    ...pictureFaults("/logo_url", app.logo_url),
    ...faultsOfList("/redirect_uris", app.redirect_uris, (uri) =>
      redirectUriFault(uri, app.app_type as "web" | "native"),
    ),
    ...faultsOfList("/allowed_scopes", app.allowed_scopes, scopeFault),
    ...faultsOfList("/allowed_grants", app.allowed_grants, (name) =>
      allowedGrant(name) === undefined
        ? reason("not_one_of", { values: Object.keys(grantNames) })
        : undefined,
    ),
    ...faultsOfList("/allowed_response_types", app.allowed_response_types, (name) =>
      (responseTypes as readonly string[]).includes(name) ? undefined : reason("not_response_type"),
    ),
    ...metadataFaults(app.metadata),
  ],
  service_accounts: ({ email, allowed_scopes }) => [
    ...(typeof email === "string" && !isEmail(email) ? [fieldError("/email", "not_email")] : []),
    ...faultsOfList("/allowed_scopes", allowed_scopes, scopeFault),
  ],
  api_keys: ({ scopes }) => faultsOfList("/scopes", scopes, scopeFault),
  service_account_key_pairs: ({ key_type, algorithm }) =>
    typeof algorithm === "string" && algorithm.startsWith("RS") !== (key_type === "rsa")
      ? [fieldError("/algorithm", "algorithm_of_other_type", { key_type: String(key_type) })]
      : [],
};

function urlFaults(path: string, value: unknown): FieldError[] {
  return typeof value === "string" && !isHttpUrl(value) ? [fieldError(path, "not_http_url")] : [];
}

function pictureFaults(path: string, value: unknown): FieldError[] {
  return typeof value === "string" && isInlinePicture(value) ? [] : urlFaults(path, value);
}

/** The members of an app's `metadata` that this server reads are checked; the others are the caller's own. */
function metadataFaults(metadata: unknown): FieldError[] {
  if (!isObject(metadata)) return [];
  const faults: FieldError[] = [];
  const uris = metadata.post_logout_redirect_uris;
  if (uris !== undefined && !isStrings(uris)) {
    faults.push(fieldError("/metadata/post_logout_redirect_uris", "not_list_of_strings"));
  }
  faults.push(
    ...faultsOfList("/metadata/post_logout_redirect_uris", uris, (uri) => redirectUriFault(uri, "native")),
  );
  faults.push(...scopeDescriptionFaults(metadata.scope_descriptions));
  if (metadata.default_scopes !== undefined && !isStrings(metadata.default_scopes)) {
    faults.push(fieldError("/metadata/default_scopes", "not_list_of_strings"));
  }
  faults.push(...faultsOfList("/metadata/default_scopes", metadata.default_scopes, scopeFault));
  const window = metadata.refresh_reuse_window;
  if (
    window !== undefined &&
    !(Number.isInteger(window) && (window as number) >= 0 && (window as number) <= 60)
  ) {
    faults.push(fieldError("/metadata/refresh_reuse_window", "out_of_range", { min: 0, max: 60 }));
  }
  for (const name of ["resource", "resources"]) {
    const value = metadata[name];
    const list = name === "resource" && typeof value === "string" ? [value] : value;
    if (value === undefined) continue;
    if (!isStrings(list)) faults.push(fieldError(`/metadata/${name}`, "not_list_of_resources"));
    faults.push(...faultsOfList(`/metadata/${name}`, list, resourceFault));
  }
  return faults;
}

/** `settings.audience`: whom tokens of the organization's apps are for where they name no resource. */
function audienceFaults(settings: unknown): FieldError[] {
  if (!isObject(settings) || settings.audience === undefined) return [];
  const { audience } = settings;
  const why = resourceFault(typeof audience === "string" ? audience : "");
  return why === undefined ? [] : [{ path: "/settings/audience", ...why }];
}

/** RFC 8707 2: an absolute URI without a fragment. */
export function resourceFault(uri: string): Reason | undefined {
  return URL.canParse(uri) && !uri.includes("#") && /^[\x21-\x7E]+$/.test(uri)
    ? undefined
    : reason("not_resource");
}

export type Checked<T> = { readonly faults: readonly FieldError[]; readonly record: T };

/**
 * Checks the values for a new record: unknown, internal, sensitive and automatic fields are refused by name,
 * missing ones take their default. `given` are the fields that the server itself sets (`created_at`, hashes,
 * keys). When `faults` is empty, `record` is whole.
 */
export function checkNew<T extends TableName>(
  table: T,
  input: Values,
  given: Partial<Row<T>> & Values = {} as Partial<Row<T>> & Values,
): Checked<NewRow<T>> {
  const faults = unknownFields(table, input, given);
  const record: Values = { ...given };
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (name in given) continue;
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) {
      if (field.default === undefined) faults.push(fieldError(`/${name}`, "required"));
      else record[name] = field.default;
      continue;
    }
    take(record, faults, name, field, value, undefined);
  }
  faults.push(...(furtherRules[table]?.(record) ?? []));
  return { faults, record: normalised(table, record) as NewRow<T> };
}

/**
 * Checks the values that change a record (RFC 7396): immutable fields are refused unless they keep their
 * value.
 */
export function checkChange<T extends TableName>(
  table: T,
  current: Row<T>,
  input: Values,
): Checked<Partial<Row<T>>> {
  const faults = unknownFields(table, input, {});
  const changes: Values = {};
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (!Object.hasOwn(input, name) || input[name] === undefined) continue;
    const was = (current as Values)[name];
    take(changes, faults, name, field, input[name], was);
    if (field.immutable && name in changes && JSON.stringify(was) !== JSON.stringify(changes[name])) {
      faults.push(fieldError(`/${name}`, "immutable"));
    }
  }
  // An unchanged value was valid when it was written, and goes on working.
  const isNew = (name: string) => JSON.stringify(changes[name]) !== JSON.stringify((current as Values)[name]);
  const asked = new Set(Object.keys(changes).filter(isNew));
  for (const fault of furtherRules[table]?.({ ...current, ...changes }) ?? []) {
    // A rule over several fields speaks up only when one of them is being changed.
    if (asked.has(fault.path.split("/")[1] ?? "") || asked.has("app_type") || asked.has("public"))
      faults.push(fault);
  }
  return { faults, record: normalised(table, changes) as Partial<Row<T>> };
}

function unknownFields(table: TableName, input: Values, given: Values): FieldError[] {
  const fields = fieldsOf(table);
  return Object.keys(input).flatMap((name): FieldError[] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || field.internal) return [fieldError(`/${name}`, "unknown_field")];
    if (name in given || field.auto_update || field.sensitive) return [fieldError(`/${name}`, "server_set")];
    return [];
  });
}

function take(
  into: Values,
  faults: FieldError[],
  name: string,
  field: Field,
  value: unknown,
  was: unknown,
): void {
  const result = read(field, value);
  const why = "code" in result ? result : unseenReason(field, result.value, was);
  if (why !== undefined) faults.push({ path: `/${name}`, ...why });
  else if ("value" in result) into[name] = result.value;
}

/** A name that was there before the rule goes on being one. */
function unseenReason({ plain }: Field, value: unknown, was: unknown): Reason | undefined {
  if (plain === undefined || typeof value !== "string" || value === was || isPlainText(value, plain)) return;
  return reason("invisible_characters");
}

/** The one way each value is stored: grants under the specification's words, lists without repeats. */
function normalised(table: TableName, record: Values): Values {
  if (table !== "oauth_apps") return record;
  const result = { ...record };
  if (isStrings(result.allowed_grants)) {
    result.allowed_grants = [...new Set(result.allowed_grants.map((name) => allowedGrant(name) ?? name))];
  }
  for (const name of ["redirect_uris", "allowed_scopes", "allowed_response_types"]) {
    const list = result[name];
    if (isStrings(list)) result[name] = [...new Set(list)];
  }
  return result;
}
