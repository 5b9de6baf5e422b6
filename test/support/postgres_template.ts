/** A database with all tables: copying it costs a fraction of creating them. */
import type { Client } from "pg";
import { openStore } from "../../src/storage/store.ts";
import { connected, type PostgresDatabase, postgresDatabase } from "./postgres.ts";

/**
 * Names the database to copy. The global setup sets it for the whole run; a file that runs alone creates its
 * tables itself.
 */
export const templateVariable = "TEST_POSTGRES_TEMPLATE";

/** Contains the shape of the template's tables, which every unchanged copy has. */
export const shapeVariable = "TEST_POSTGRES_SHAPE";

export interface PostgresTemplate extends PostgresDatabase {
  readonly shape: string;
}

/** Creates a database with every table and no records, without connections. */
export async function postgresTemplate(): Promise<PostgresTemplate> {
  const database = await postgresDatabase();
  const store = await openStore({ kind: "postgres", url: database.url });
  try {
    await store.migrate(new Date());
  } finally {
    await store.close();
  }
  return { ...database, shape: await connected(database.url, shapeOfTables) };
}

const ours = "(SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)";

const shapeQuery = `SELECT md5(string_agg(line, E'\\n' ORDER BY line)) AS shape FROM (
  SELECT concat_ws(' ', oid, relname, reloptions,
    relkind <> 'r' OR relname = 'postern_migrations' OR reltuples = -1,
    relkind <> 'r' OR pg_relation_size(oid) <= 10 * current_setting('block_size')::int) AS line
  FROM pg_class WHERE oid IN ${ours}
  UNION ALL
  SELECT concat_ws(' ', attrelid, attname, atttypid, attnotnull) FROM pg_attribute WHERE attrelid IN ${ours}
  UNION ALL SELECT concat_ws(' ', oid, conname, convalidated) FROM pg_constraint WHERE conrelid IN ${ours}
  UNION ALL SELECT concat_ws(' ', indexrelid, indisvalid) FROM pg_index WHERE indrelid IN ${ours}
  UNION ALL SELECT concat_ws(' ', oid, tgname) FROM pg_trigger WHERE tgrelid IN ${ours}
  UNION ALL SELECT concat_ws(' ', oid, proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT concat_ws(' ', oid, nspname) FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp'
  UNION ALL SELECT concat_ws(' ', version, name) FROM postern_migrations
) AS lines`;

/**
 * Returns a digest of the tables and of the planner's view of them. Copies of the template have the same
 * digest until a table is altered or analyzed, or exceeds the ten pages that the planner assumes for an empty
 * one. The table of migrations is exempt, because the server analyzes it automatically.
 */
export async function shapeOfTables(client: Client): Promise<string> {
  const { rows } = await client.query<{ shape: string }>(shapeQuery);
  return rows[0]?.shape ?? "";
}
