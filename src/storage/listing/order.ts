/** The order of a list, and the cursors that mark a position in it. */
import { type RawBuilder, sql } from "kysely";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { fieldsOf, type TableName } from "../../records/definition/definition.ts";
import { listOrdersOf } from "../../records/definition/list_orders.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { Dialect } from "../database/dialect.ts";

/** A row's position in a list: the value of the sort column, then the ID. */
export interface Place {
  /** Unix milliseconds or a lower-case string; undefined if the list is in the order of IDs. */
  readonly key: string | number | undefined;
  readonly id: string;
}

interface Cursor {
  readonly place: Place;
  readonly backwards: boolean;
}

/** A missing time is the earliest. */
const never = 0;

/** Converts only A to Z, as the databases do. */
const inLowerCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Returns the SQL expression by which a list is sorted by this column; indexes contain the same one. */
export function keyOf(dialect: Dialect, table: TableName, column: string, of: string): RawBuilder<unknown> {
  const field = fieldsOf(table)[column];
  const value = sql.raw(`${of}.${column}`);
  if (!dialect.seeksInExpressions && column !== "created_at" && listOrdersOf(table).indexed.includes(column))
    return sql.raw(`${of}.${column}_key_of_order`);
  if (field?.kind === "time") return field.required ? value : dialect.momentOr1970(value);
  if (field?.kind === "string" && field.required) return dialect.lowerCase(value);
  throw new TypeError(`no list can be put in order by ${table}.${column}`);
}

/** Returns the position of a row in a list that is sorted by this column. */
export function placeIn(column: string | undefined, row: Readonly<Record<string, unknown>>): Place {
  const id = row.id as string;
  if (column === undefined) return { key: undefined, id };
  const value = row[column];
  if (typeof value === "string") return { key: inLowerCase(value), id };
  return { key: value instanceof Date ? value.getTime() : never, id };
}

function comparedKeys(one: Place["key"], other: Place["key"]): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  // Compares bytes, as the databases do. JavaScript compares UTF-16 units, whose order differs above U+FFFF.
  return one === other ? 0 : Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

/** Compares two positions: negative if the first one precedes the second in ascending order. */
export function comparedPlaces(one: Place, other: Place, by_ids: boolean): number {
  const keys = by_ids ? 0 : comparedKeys(one.key, other.key);
  if (keys !== 0) return keys;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

/** Returns the SQL condition that the row with this key and ID follows the position. */
export function isBehind(
  dialect: Dialect,
  [key, id]: readonly [key: RawBuilder<unknown>, id: RawBuilder<unknown>],
  place: Place,
  descending: boolean,
): RawBuilder<boolean> {
  const value = typeof place.key === "number" ? dialect.encode("time", new Date(place.key)) : place.key;
  const beyond = sql.raw(descending ? "<" : ">");
  return sql<boolean>`(${key}, ${id}) ${beyond} (${value}, ${dialect.encode("uuid", place.id)})`;
}

function wrongCursor(): Problem {
  return new Problem("invalid_page", detail("wrong_cursor"));
}

/** Returns the cursor in base64url. */
export function writtenCursor({ place: { id, key }, backwards }: Cursor): string {
  const members = backwards ? [id, key ?? null, "previous"] : key === undefined ? [id] : [id, key];
  return Buffer.from(JSON.stringify(members)).toString("base64url");
}

/** Returns the position and direction in a cursor. Throws 400 `invalid_page` if the cursor is invalid. */
export function readCursor(table: TableName, column: string | undefined, cursor: string): Cursor {
  let members: unknown;
  try {
    members = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    throw wrongCursor();
  }
  if (!Array.isArray(members)) throw wrongCursor();
  const [id, key] = members as unknown[];
  if (typeof id !== "string" || !isUuid(id) || !isKeyOf(table, column, key ?? undefined)) throw wrongCursor();
  const read = {
    place: { id: id.toLowerCase(), key: (key ?? undefined) as Place["key"] },
    backwards: members.length === 3,
  };
  if (writtenCursor({ ...read, place: { ...read.place, id } }) !== cursor) throw wrongCursor();
  return read;
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes("\0");

function isKeyOf(table: TableName, column: string | undefined, key: unknown): boolean {
  if (column === undefined) return key === undefined;
  if (fieldsOf(table)[column]?.kind !== "time") return typeof key === "string" && isStorable(key);
  return Number.isInteger(key) && !Number.isNaN(new Date(key as number).getTime());
}
