/** The SQL differences between SQLite and PostgreSQL. */
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { Row, TableName } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import type { DatabaseProfileName } from "../../records/names/names.ts";
import { bytesToUuid, hexToUuid, uuidToBytes } from "./ids.ts";

/** Column types are those of record fields; values are encoded when a query runs. */
export type Schema = { [T in TableName]: Row<T> };
export type Builder = Kysely<Schema>;

export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly builder: Builder;
  readonly columnType: Readonly<Record<Kind, string>>;
  encode(kind: Kind, value: unknown): unknown;
  decode(kind: Kind, value: unknown): unknown;
  /** Selects the column in a form that `decode` accepts. */
  selected(kind: Kind, column: string): RawBuilder<unknown>;
  /** Whether a statement can use the result of one change for another (`WITH … UPDATE … INSERT`). */
  readonly chainsChanges: boolean;
  /**
   * Whether writing the rows of several callers in one statement is faster than one statement per row
   * (`PreparedStatement.row_id`).
   */
  readonly mergesRows: boolean;
  /**
   * Reads a JSON array of arrays as rows with these columns. In the JSON, UUIDs are strings and signatures
   * are hexadecimal strings.
   */
  readonly rowsOf: (
    json: RawBuilder<unknown>,
    columns: Readonly<Record<string, Kind>>,
  ) => RawBuilder<unknown>;
  /** Converts only A to Z. The result is compared by bytes, whatever the database's locale. */
  lowerCase(text: RawBuilder<unknown>): RawBuilder<unknown>;
  momentOr1970(moment: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Creates a UUIDv7 with the first 18 characters of the UUIDv7 `text`, and therefore its time. */
  idLike(text: RawBuilder<string>): RawBuilder<string>;
  /** Orders new events of the event feed by arrival, before they have a `position`. */
  readonly arrival: RawBuilder<number>;
  idText(id: RawBuilder<unknown>): RawBuilder<string>;
  objectWith(name: string, value: RawBuilder<unknown>): RawBuilder<unknown>;
  merged(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Whether indexes on expressions support range scans. If not, such an expression needs its own column. */
  readonly seeksInExpressions: boolean;
  readonly idsOf: (json: RawBuilder<unknown>) => RawBuilder<{ id: string }>;
  readonly textsOf: (json: RawBuilder<unknown>) => RawBuilder<unknown>;
  /** The lock lasts until the end of the transaction. Undefined if the database needs no locks. */
  lock(mode: "exclusive" | "shared", parameter: number): string | undefined;
  /** Empty if the database does not lock rows. */
  skipLocked(table: string): RawBuilder<unknown>;
  readonly onStatement?: (compile: () => string) => void;
  readonly onUse?: (write: (builder: Builder) => unknown) => void;
  readonly profile?: DatabaseProfileName;
  /**
   * Statements that create a row and update it in every migration, so that two processes cannot migrate
   * concurrently.
   */
  readonly migrationsRow?: { readonly make: readonly string[]; readonly hold: string };
  readonly size: string;
  /** Includes tables of other programs. */
  readonly tables: string;
  rowEstimates(tables: readonly string[]): string;
}

function asBuffer(value: unknown): Buffer {
  const bytes = value as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export const sqlite: Dialect = {
  name: "sqlite",
  chainsChanges: false,
  mergesRows: false,
  builder: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  columnType: {
    uuid: "BLOB",
    signature: "BLOB",
    string: "TEXT",
    text: "TEXT",
    int: "INTEGER",
    long: "INTEGER",
    bool: "INTEGER",
    time: "INTEGER",
    json: "TEXT",
  },
  encode(kind, value) {
    if (value === null || value === undefined) return null;
    switch (kind) {
      case "uuid":
        return uuidToBytes(value as string);
      case "bool":
        return value ? 1 : 0;
      case "time":
        return (value as Date).getTime();
      case "json":
        return JSON.stringify(value);
      default:
        return value;
    }
  },
  decode(kind, value) {
    if (value === null || value === undefined) return null;
    switch (kind) {
      case "uuid":
        return typeof value === "string" ? hexToUuid(value) : bytesToUuid(value as Uint8Array);
      case "signature":
        return typeof value === "string" ? Buffer.from(value, "hex") : asBuffer(value);
      case "bool":
        return value === 1;
      case "time":
        return new Date(value as number);
      case "json":
        return JSON.parse(value as string);
      default:
        return value;
    }
  },
  // Reading a BLOB as hexadecimal text takes a third of the time that reading its bytes takes. `hex(NULL)` is
  // an empty string; empty BLOBs are not stored.
  selected(kind, column) {
    const name = sql.ref(column);
    return kind === "uuid" || kind === "signature" ? sql`nullif(hex(${name}), '') AS ${name}` : name;
  },
  rowsOf(json, columns) {
    const values = Object.entries(columns).map(([name, kind], index) => {
      const value = sql`value ->> ${sql.lit(index)}`;
      const inHex = kind === "uuid" ? sql`replace(${value}, '-', '')` : value;
      const isBytes = kind === "uuid" || kind === "signature";
      return sql`${isBytes ? sql`unhex(${inHex})` : value} AS ${sql.ref(name)}`;
    });
    return sql`SELECT ${sql.join(values)} FROM json_each(${json})`;
  },
  // SQLite uses an index for row value comparisons only if they contain plain columns.
  seeksInExpressions: false,
  lowerCase: (text) => sql`lower(${text})`,
  momentOr1970: (moment) => sql`coalesce(${moment}, 0)`,
  // SQLite has a single writer, which sees all earlier events. Without `INDEXED BY`, SQLite would choose a
  // slower index.
  arrival: sql`(SELECT coalesce(max(arrived), 0) + 1 FROM events INDEXED BY events_arrived WHERE position IS NULL)`,
  idText: (id) =>
    sql`lower(substr(hex(${id}), 1, 8) || '-' || substr(hex(${id}), 9, 4) || '-' || substr(hex(${id}), 13, 4)
      || '-' || substr(hex(${id}), 17, 4) || '-' || substr(hex(${id}), 21))`,
  objectWith: (name, value) => sql`json_object(${sql.lit(name)}, ${value})`,
  merged: (one, other) => sql`json_patch(${one}, ${other})`,
  idLike: (text) =>
    sql`unhex(replace(substr(${text}, 1, 18), '-', '') || '8' || substr(hex(randomblob(8)), 2))`,
  idsOf: (json) => sql`SELECT unhex(replace(value, '-', '')) AS id FROM json_each(${json})`,
  textsOf: (json) => sql`SELECT value FROM json_each(${json})`,
  lock: () => undefined,
  skipLocked: () => sql``,
  tables: "SELECT count(*) AS found FROM sqlite_master WHERE type = 'table'",
  size: "SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()",
  rowEstimates: (tables) =>
    tables
      .map(
        (table) => `SELECT '${table}' AS name, coalesce(
          (SELECT max(rowid) FROM ${table}) - (SELECT min(rowid) FROM ${table}) + 1, 0) AS rows`,
      )
      .join(" UNION ALL "),
};

export const postgres: Dialect = {
  name: "postgres",
  profile: "native",
  chainsChanges: true,
  mergesRows: true,
  builder: new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  columnType: {
    uuid: "uuid",
    signature: "bytea",
    string: "text",
    text: "text",
    int: "integer",
    long: "bigint",
    bool: "boolean",
    time: "timestamptz(3)",
    json: "jsonb",
  },
  encode(kind, value) {
    if (value === null || value === undefined) return null;
    if (kind === "json") return JSON.stringify(value);
    return kind === "time" ? (value as Date).toISOString() : value;
  },
  decode(kind, value) {
    if (value === null || value === undefined) return null;
    if (kind === "long") return Number(value);
    return kind === "signature" ? asBuffer(value) : value;
  },
  selected: (_kind, column) => sql.ref(column),
  rowsOf(json, columns) {
    const values = Object.entries(columns).map(([name, kind], index) => {
      const value = sql`value ->> ${sql.lit(index)}`;
      const type = sql.raw(postgres.columnType[kind]);
      const typed = kind === "signature" ? sql`decode(${value}, 'hex')` : sql`(${value})::${type}`;
      return sql`${typed} AS ${sql.ref(name)}`;
    });
    return sql`SELECT ${sql.join(values)} FROM jsonb_array_elements(${json}::jsonb)`;
  },
  seeksInExpressions: true,
  lowerCase: (text) => sql`lower(${text} COLLATE "C")`,
  momentOr1970: (moment) => sql`coalesce(${moment}, '1970-01-01 00:00:00+00'::timestamptz)`,
  // Uses the database's clock, because the clocks of processes differ.
  arrival: sql`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`,
  idText: (id) => sql`${id}::text`,
  objectWith: (name, value) => sql`jsonb_build_object(${sql.lit(name)}, ${value})`,
  merged: (one, other) => sql`${one}::jsonb || ${other}`,
  // The rest comes from a UUIDv4, which has the variant bits in the same place.
  idLike: (text) => sql`(substr(${text}::text, 1, 18) || substr(gen_random_uuid()::text, 19))::uuid`,
  idsOf: (json) => sql`SELECT value::uuid AS id FROM jsonb_array_elements_text(${json}::jsonb)`,
  textsOf: (json) => sql`SELECT value FROM jsonb_array_elements_text(${json}::jsonb)`,
  lock(mode, parameter) {
    return mode === "exclusive"
      ? `pg_advisory_xact_lock(hashtextextended($${parameter}, 0))`
      : `pg_advisory_xact_lock_shared(hashtextextended($${parameter}, 0))`;
  },
  skipLocked: (table) => sql`FOR UPDATE OF ${sql.ref(table)} SKIP LOCKED`,
  tables: "SELECT count(*) AS found FROM pg_catalog.pg_tables WHERE schemaname = current_schema()",
  size: "SELECT pg_database_size(current_database()) AS bytes",
  // The greater of two estimates: `reltuples` is -1 before the first VACUUM or ANALYZE, and `n_live_tup` is 0
  // after a crash.
  rowEstimates: (tables) => `SELECT c.relname AS name, greatest(c.reltuples, s.n_live_tup, 0)::bigint AS rows
    FROM pg_catalog.pg_class c JOIN pg_catalog.pg_stat_user_tables s ON s.relid = c.oid
    WHERE s.schemaname = current_schema() AND c.relname IN (${tables.map((table) => `'${table}'`).join(", ")})`,
};
