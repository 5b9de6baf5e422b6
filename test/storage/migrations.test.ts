import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { fieldsOf, type TableName, tables } from "../../src/records/definition/definition.ts";
import type { Kind } from "../../src/records/definition/field.ts";
import {
  searchableTables,
  valueTable,
  valueTables,
  wordTable,
} from "../../src/storage/database/search_words.ts";
import type { DatabaseAddress, Store } from "../../src/storage/store.ts";
import { aUser, start } from "../support/builders.ts";
import { databases, openDriver, openStoreAt, serializable } from "../support/databases.ts";
import { tableNames } from "./any_row.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
}

interface Reference {
  readonly column: string;
  readonly table: string;
  readonly on_delete: string;
}

const columnTypes: Record<string, Record<Kind, string>> = {
  SQLite: {
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
  PostgreSQL: {
    uuid: "uuid",
    signature: "bytea",
    string: "text",
    text: "text",
    int: "integer",
    long: "bigint",
    bool: "boolean",
    time: "timestamp(3) with time zone",
    json: "jsonb",
  },
};

/** The database's own description of a table; lists of columns are joined by commas. */
interface Introspection {
  tables: string;
  columns: (table: string) => string;
  primaryKey: (table: string) => string;
  uniques: (table: string) => string;
  /** The first column of each index. */
  leading: (table: string) => string;
  references: (table: string) => string;
}

const indexColumns = (table: string, origin: string) => `
  SELECT (SELECT group_concat(i.name) FROM pragma_index_info(l.name) i) AS columns
  FROM pragma_index_list('${table}') l WHERE ${origin}`;

const indexes = (table: string, condition: string) => `
  SELECT (SELECT string_agg(a.attname, ',' ORDER BY k.position)
          FROM unnest(i.indkey) WITH ORDINALITY k(number, position)
          JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number) AS columns
  FROM pg_index i WHERE i.indrelid = '${table}'::regclass AND ${condition}`;

const introspection: Record<string, Introspection> = {
  SQLite: {
    tables: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
    columns: (table) => `SELECT name, type, "notnull" = 0 AS nullable FROM pragma_table_info('${table}')`,
    primaryKey: (table) => indexColumns(table, "l.origin = 'pk'"),
    uniques: (table) => indexColumns(table, `l."unique" AND l.origin <> 'pk'`),
    leading: (table) => indexColumns(table, "true"),
    references: (table) =>
      `SELECT "from" AS "column", "table", on_delete FROM pragma_foreign_key_list('${table}')`,
  },
  PostgreSQL: {
    tables: "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    columns: (table) => `
      SELECT attname AS name, format_type(atttypid, atttypmod) AS type, NOT attnotnull AS nullable
      FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
    primaryKey: (table) => indexes(table, "i.indisprimary"),
    uniques: (table) => indexes(table, "i.indisunique AND NOT i.indisprimary"),
    leading: (table) => indexes(table, "true"),
    references: (table) => `
      SELECT a.attname AS column, c.confrelid::regclass::text AS table,
        CASE c.confdeltype WHEN 'c' THEN 'CASCADE' WHEN 'r' THEN 'RESTRICT' ELSE c.confdeltype::text END AS on_delete
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.contype = 'f' AND c.conrelid = '${table}'::regclass`,
  },
};

const byName = <T extends { name: string }>(rows: T[]) => rows.toSorted((a, b) => (a.name < b.name ? -1 : 1));

/** Starts the program on this database; `go` lets it migrate and resolves with the applied migrations. */
async function migratingProcess(address: DatabaseAddress): Promise<{ go(): Promise<unknown[]> }> {
  const program = fileURLToPath(new URL("migrating_process.ts", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(address)], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const lines = createInterface(child.stdout);
  const ended = once(child, "close");
  await once(lines, "line");
  return {
    async go() {
      const said: string[] = [];
      lines.on("line", (line) => said.push(line));
      child.stdin.end("go\n");
      const [status] = await ended;
      assert.equal(status, 0, complaint);
      return JSON.parse(said[0] ?? "") as unknown[];
    },
  };
}

for (const database of databases)
  describe(`migrations on ${database.name}`, () => {
    let store: Store;
    const ask = introspection[database.name] as Introspection;
    const types = columnTypes[database.name] as Record<Kind, string>;
    const rows = <R>(sql: string, from = store) =>
      from.transaction((tx) => tx.connection.all(sql, [])) as Promise<R[]>;
    const lists = async (sql: string) =>
      (await rows<{ columns: string | null }>(sql)).map(({ columns }) => columns).toSorted();

    before(async () => {
      store = await database.open();
    });

    test("the tables are those of the definition, plus the search words", async () => {
      const names = (await rows<{ name: string }>(ask.tables)).map(({ name }) => name);
      const searched = tableNames.filter((table) => searchableTables.has(table));
      // SQLite's full-text table has internal tables.
      const trigrams = ["_spellings", "_parts", "_parts_config", "_parts_data", "_parts_idx"];
      const ofParts = searched.flatMap((table) => trigrams.map((name) => `${table}${name}`));
      const values = tableNames.filter((table) => valueTables.has(table)).map(valueTable);
      const words = [...searched.map(wordTable), ...values, ...(database.name === "SQLite" ? ofParts : [])];
      const ours = ["postern_migrations", ...(database === serializable ? ["postern_versions"] : [])];
      assert.deepEqual(names.toSorted(), [...tableNames, ...words, ...ours].toSorted());
    });

    for (const table of tableNames)
      test(`spec 2: the columns, keys and references of ${table} are those of the definition`, async () => {
        const fields = Object.entries(fieldsOf(table));
        const columns = (await rows<Column>(ask.columns(table))).map(({ name, type, nullable }) => ({
          name,
          type,
          nullable: Boolean(nullable),
        }));
        const expected = fields.map(([name, { kind, required }]) => ({
          name,
          type: types[kind],
          nullable: !required,
        }));
        assert.deepEqual(byName(columns), byName(expected));

        assert.deepEqual(await lists(ask.primaryKey(table)), ["id"]);
        const { unique: pairs = [] } = tables[table] as { unique?: readonly (readonly string[])[] };
        const uniques = fields.filter(([, { unique }]) => unique).map(([name]) => name);
        assert.deepEqual(
          await lists(ask.uniques(table)),
          [...uniques, ...pairs.map((pair) => pair.join(","))].toSorted(),
        );

        const references = await rows<Reference>(ask.references(table));
        const named = references.map((row) => ({ name: row.column, to: row.table, end: row.on_delete }));
        const decided = fields.flatMap(([name, { references: to }]) =>
          to === undefined ? [] : [{ name, to: to.table, end: to.on_delete.toUpperCase() }],
        );
        assert.deepEqual(byName(named), byName(decided));

        // The referring rows of a deleted record must be found without reading their whole table. An index on
        // only an expression has no column.
        const leading = (await lists(ask.leading(table))).map((list) => list?.split(",")[0]);
        for (const { column } of references) assert.ok(leading.includes(column), `${table}.${column}`);
      });

    test("migrating again changes nothing and keeps the stored data", async () => {
      const user = await aUser(store);
      assert.deepEqual(await store.migrate(start), []);
      assert.deepEqual(await store.find("users", { id: user.id }), user);
      assert.ok((await store.migrationStatus()).every(({ applied }) => applied));
    });

    test("the status of an empty database lists the missing migrations", async () => {
      const empty = await openStoreAt(await database.address());
      assert.deepEqual(
        (await empty.migrationStatus()).map(({ applied }) => applied),
        (await store.migrationStatus()).map(() => false),
      );
    });

    test("processes starting concurrently on an empty database apply each migration once", async () => {
      const known = (await store.migrationStatus()).length;
      const address = await database.address();
      const children = await Promise.all(Array.from({ length: 4 }, () => migratingProcess(address)));
      const applied = await Promise.all(children.map((child) => child.go()));
      assert.equal(applied.flat().length, known);
      const after = await openStoreAt(address);
      assert.deepEqual(await after.migrate(start), []);
    });

    test("a database newer than the program is refused and left unchanged", async () => {
      const newer = await database.open();
      await newer.transaction((tx) =>
        tx.connection.run(
          "INSERT INTO postern_migrations (version, name, applied_at) VALUES (9999, 'later', 'later')",
          [],
        ),
      );
      await assert.rejects(newer.migrate(start), /version 9999, newer than this program/);
      const versions = await rows<{ version: number }>("SELECT version FROM postern_migrations", newer);
      assert.equal(versions.length, (await store.migrationStatus()).length + 1);
    });
  });

test("spec 2: the specification's twelve record types come in its order, followed by the additional ones", () => {
  const sections = tableNames.map((table: TableName) => tables[table].source.split(" ")[0]);
  assert.deepEqual(
    sections.slice(0, 12),
    Array.from({ length: 12 }, (_, index) => `2.${index + 1}`),
  );
  assert.deepEqual(tableNames.slice(12), [
    "sessions",
    "resources",
    "roles",
    "groups",
    "group_members",
    "app_roles",
    "attribute_definitions",
    "signing_keys",
    "audit_events",
    "refusals",
    "invitations",
    "statistics",
    "ephemera",
    "client_documents",
    "session_apps",
    "deliveries",
    "events",
    "signal_streams",
    "webhook_endpoints",
    "manifest_records",
    "manifest_names",
    "passkeys",
    "totp_authenticators",
    "foreign_passwords",
    "imported_people",
    "recovery_codes",
    "devices",
    "recoveries",
    "providers",
    "retired_providers",
  ]);
});

for (const database of databases)
  test(`a first start on another program's database names where its tables are, and the remedy, on ${database.name}`, async () => {
    const address = await database.address();
    const driver = await openDriver(address);
    await driver.transaction((connection) => driver.script(connection, "CREATE TABLE users (id INTEGER)"));
    const store = await openStoreAt(address);
    const error = await store.migrate(start).catch((refusal: Error) => refusal);
    assert.ok(error instanceof Error);
    if (address.kind === "sqlite") {
      assert.match(error.message, /^the database file has a table "users" .* POSTERN_DATABASE_URL$/);
    } else {
      const remedy =
        /^the schema "public" has a table "users" .* with (CREATE SCHEMA .*) and (ALTER ROLE .*), or a database/;
      const [, ...statements] = remedy.exec(error.message) ?? assert.fail(error.message);
      await driver.transaction((connection) => driver.script(connection, statements.join(";\n")));
      const again = await openStoreAt(address);
      assert.ok((await again.migrate(start)).length > 0);
      assert.equal(await again.count("users"), 0);
    }
    await driver.close();
  });
