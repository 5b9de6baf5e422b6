/** Validates a caller's values for a record against the definition of its table. */
import { type FieldError, fieldError, type Reason, reason, unknownField } from "../../errors/field_errors.ts";
import { fieldsOf, type NewRow, type Row, type TableName } from "../definition/definition.ts";
import { type Field, mustBeGiven } from "../definition/field.ts";
import { isUuid, nilUuid } from "../names/ids.ts";
import { isObject, isStrings } from "../names/json_shapes.ts";
import { isPlainText } from "../names/plain_text.ts";
import { decidedBy, formatErrors, storedText } from "./formats.ts";

export { isUuid };

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Returns the time of an RFC 3339 string, in which the seconds may be missing. Returns undefined for any
 * other string, and for a time outside the years 1 to 9999 (UTC).
 */
export function momentOf(text: string): Date | undefined {
  const moment = isoTime.test(text) ? new Date(text) : undefined;
  return moment !== undefined && isStorableTime(moment) ? moment : undefined;
}

/** Years outside 1 to 9999 are not stored, because each database writes them differently. */
function isStorableTime(time: Date): boolean {
  const year = time.getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** PostgreSQL cannot store NUL in `text` or `jsonb`, and an unpaired surrogate is not valid Unicode. */
function isStorable(value: unknown): boolean {
  if (typeof value === "string") return !value.includes("\0") && value.isWellFormed();
  if (Array.isArray(value)) return value.every(isStorable);
  if (isObject(value))
    return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
  return true;
}

/** Some texts are shown as links, and a link with an invisible text could not be clicked. */
function isBlank(text: string): boolean {
  return !/[^\p{Cc}\p{Cf}\p{Cs}\p{Z}]/u.test(text);
}

/** More levels than any use needs, and far below the depth at which recursion would exhaust the stack. */
const deepest = 32;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null || value instanceof Date) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(levels - 1, item));
}

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
    case "long":
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

export type Checked<T> = { readonly errors: readonly FieldError[]; readonly record: T };

/**
 * Checks the values of a new record, and adds the defaults of missing fields. `fixed` are the fields that the
 * server itself sets. If `errors` is empty, `record` is complete.
 */
export function checkNew<T extends TableName>(
  table: T,
  input: Values,
  fixed: Partial<Row<T>> & Values = {} as Partial<Row<T>> & Values,
): Checked<NewRow<T>> {
  const errors = unknownFields(table, input, (name, field) => name in fixed || field.auto_create === true);
  const record: Values = { ...fixed };
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (name in fixed) continue;
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) {
      if (field.default === undefined) errors.push(fieldError(`/${name}`, "required"));
      else record[name] = field.default;
      continue;
    }
    // The nil UUID is refused as an id, because rules use it for records that do not exist.
    if (name === "id" && value === nilUuid) errors.push(fieldError("/id", "not_uuid"));
    else take(record, errors, name, field, value, undefined);
  }
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    errors.push(...formatErrors(name, field, record));
  }
  return { errors, record: normalised(table, record) as NewRow<T> };
}

/** Checks the fields of a request that are not fields of a record. */
export function checkMembers(fields: Readonly<Record<string, Field>>, input: Values): Checked<Values> {
  const errors: FieldError[] = [];
  const record: Values = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value !== undefined) take(record, errors, name, field, value, undefined);
    else if (mustBeGiven(field)) errors.push(fieldError(`/${name}`, "required"));
    errors.push(...formatErrors(name, field, record));
  }
  return { errors, record };
}

/** Returns whether a record may have this value in a changeable field. */
export function isValueOf<T extends TableName>(
  table: T,
  name: keyof Row<T> & string,
  value: unknown,
): boolean {
  return checkChange(table, {} as Row<T>, { [name]: value }).errors.length === 0;
}

/** Checks the values that change a record (RFC 7396). */
export function checkChange<T extends TableName>(
  table: T,
  current: Row<T>,
  input: Values,
): Checked<Partial<Row<T>>> {
  const errors = unknownFields(table, input, () => false);
  const changes: Values = {};
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (!Object.hasOwn(input, name) || input[name] === undefined) continue;
    const was = (current as Values)[name];
    take(changes, errors, name, field, input[name], was);
    if (field.immutable && name in changes && JSON.stringify(was) !== JSON.stringify(changes[name])) {
      errors.push(fieldError(`/${name}`, "immutable"));
    }
  }
  // An unchanged value was valid when it was written, and remains valid.
  const isNew = (name: string) => JSON.stringify(changes[name]) !== JSON.stringify((current as Values)[name]);
  const requested = new Set(Object.keys(changes).filter(isNew));
  const whole = { ...current, ...changes };
  for (const [name, field] of Object.entries(fieldsOf(table))) {
    if (requested.has(name) || requested.has(decidedBy(field) ?? ""))
      errors.push(...formatErrors(name, field, whole));
  }
  return { errors, record: normalised(table, changes) as Partial<Row<T>> };
}

function unknownFields(
  table: TableName,
  input: Values,
  isSetByServer: (name: string, field: Field) => boolean,
): FieldError[] {
  const fields = fieldsOf(table);
  return Object.keys(input).flatMap((name): FieldError[] => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || field.internal) return [unknownField(name)];
    if (isSetByServer(name, field) || field.auto_update || field.sensitive) {
      return [fieldError(`/${name}`, "server_set")];
    }
    return [];
  });
}

function take(
  into: Values,
  errors: FieldError[],
  name: string,
  field: Field,
  value: unknown,
  was: unknown,
): void {
  const result = read(field, value);
  const why = "code" in result ? result : unseenReason(field, result.value, was);
  if (why !== undefined) errors.push({ path: `/${name}`, ...why });
  else if ("value" in result) into[name] = result.value;
}

/** The stored text (`was`) remains valid even if it contains invisible characters. */
function unseenReason({ plain }: Field, value: unknown, was: unknown): Reason | undefined {
  if (plain === undefined || typeof value !== "string" || value === was || isPlainText(value, plain)) return;
  return reason("invisible_characters");
}

function normalised(table: TableName, record: Values): Values {
  const result = { ...record };
  for (const [name, { distinct, format }] of Object.entries(fieldsOf(table))) {
    const list = result[name];
    if (distinct && isStrings(list))
      result[name] = [...new Set(list.map((text) => storedText(format, text)))];
  }
  return result;
}
