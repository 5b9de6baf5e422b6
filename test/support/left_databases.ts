/**
 * Databases that test files of this process no longer use: the next file takes one faster than a new one is
 * created.
 */
import type { Client } from "pg";
import { atProcessEnd } from "./at_end.ts";
import { connected, type PostgresDatabase } from "./postgres.ts";
import { shapeOfTables, shapeVariable } from "./postgres_template.ts";

const left: PostgresDatabase[] = [];

atProcessEnd(async () => {
  for (const database of left.splice(0)) await database.drop();
});

/** Returns a database with every table and no records; undefined if none is left. */
export function takeLeft(): PostgresDatabase | undefined {
  return left.pop();
}

/**
 * Empties and keeps an unused copy of the template; drops it if its tables were altered, analyzed or filled.
 */
export async function leave(database: PostgresDatabase): Promise<void> {
  const shape = process.env[shapeVariable];
  const isKept = shape !== undefined && (await connected(database.url, (client) => emptied(client, shape)));
  if (isKept) left.push(database);
  else await database.drop();
}

/** Once these are empty, the others can be emptied in any order. */
const first = ["oauth_apps", "service_accounts"];

/** Deletes every record if the tables have the shape; returns whether they do. */
async function emptied(client: Client, shape: string): Promise<boolean> {
  if ((await shapeOfTables(client)) !== shape) return false;
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > 0`,
  );
  const filled = rows.map(({ name }) => name).filter((name) => name !== "postern_migrations");
  const ordered = [
    ...filled.filter((name) => first.includes(name)),
    ...filled.filter((name) => !first.includes(name)),
  ];
  await client.query(ordered.map((name) => `DELETE FROM "${name}"`).join(";"));
  return true;
}
