import assert from "node:assert/strict";
import { test } from "node:test";
import { aUser } from "./builders.ts";
import { openStoreAt } from "./databases.ts";
import { leave, takeLeft } from "./left_databases.ts";
import { connected, type PostgresDatabase, postgresDatabase } from "./postgres.ts";
import { templateVariable } from "./postgres_template.ts";

const copy = () => postgresDatabase(process.env[templateVariable]);

async function alter(database: PostgresDatabase, sql: string): Promise<void> {
  await connected(database.url, (client) => client.query(sql));
}

const isThere = (database: PostgresDatabase) =>
  alter(database, "SELECT 1").then(
    () => true,
    () => false,
  );

test("a test file gets a reused database with its tables and without the previous file's records", async () => {
  const database = await copy();
  const store = await openStoreAt({ kind: "postgres", url: database.url });
  await aUser(store);
  await store.close();
  // The server analyzes this table automatically once there are more than fifty migrations.
  await alter(database, "ANALYZE postern_migrations");
  await leave(database);
  assert.equal(takeLeft(), database);
  assert.equal(takeLeft(), undefined, "nobody else is given it");
  const next = await openStoreAt({ kind: "postgres", url: database.url });
  assert.deepEqual(await next.migrate(new Date()), []);
  assert.equal(await next.count("users", {}), 0);
  await next.close();
  await database.drop();
});

for (const [what, sql] of [
  ["a table less", "DROP TABLE sessions CASCADE"],
  ["a column more", "ALTER TABLE users ADD COLUMN more text"],
  ["a constraint less", "ALTER TABLE ephemera DROP CONSTRAINT ephemera_pkey"],
  ["an index more", "CREATE INDEX more ON users (name)"],
  ["statistics", "ANALYZE users"],
  ["a migration less", "DELETE FROM postern_migrations"],
  [
    "more pages than an empty one",
    `INSERT INTO ephemera SELECT gen_random_uuid(), repeat('x', 100), decode(md5(n::text), 'hex'), 'null', 0, now(), now()
     FROM generate_series(1, 1000) AS n`,
  ],
] as const)
  test(`a reused test database with ${what} is dropped`, async () => {
    const database = await copy();
    await alter(database, sql);
    await leave(database);
    assert.equal(takeLeft(), undefined);
    assert.equal(await isThere(database), false);
  });
