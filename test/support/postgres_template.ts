/** A database that has its tables: to copy it costs a fraction of what it takes to make them. */
import { openStore } from "../../src/storage/store.ts";
import { type PostgresDatabase, postgresDatabase } from "./postgres.ts";

/**
 * Names the database to copy. The global setup sets it for the whole run; a file that runs alone makes tables
 * itself.
 */
export const templateVariable = "TEST_POSTGRES_TEMPLATE";

/** A new database with every table and no record, to which nobody is connected. */
export async function postgresTemplate(): Promise<PostgresDatabase> {
  const database = await postgresDatabase();
  const store = await openStore({ kind: "postgres", url: database.url });
  try {
    await store.migrate(new Date());
  } finally {
    await store.close();
  }
  return database;
}
