/**
 * `postern migrate plan`, and the changes that a migration may make while servers of the previous version
 * run.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Kind } from "../../src/records/definition/field.ts";
import { migrations } from "../../src/storage/migrations/all_migrations.ts";
import { databases, openStoreAt } from "../support/databases.ts";
import { runPostern } from "../support/process.ts";
import { firstBeside, secretKey } from "./released/releases.ts";
import { restoreDump } from "./released/restore_dump.ts";

for (const database of databases)
  describe(`the plan of an upgrade, on ${database.name}`, () => {
    test("lists each missing migration with its rows and locks, and changes nothing", async () => {
      const address = await database.address();
      const { rows } = await restoreDump("0.2.0", address);
      const store = await openStoreAt(address);
      const before = await store.migrationStatus();
      const plan = await store.planMigrations();
      assert.deepEqual(await store.migrationStatus(), before);
      assert.deepEqual([plan.from, plan.servers_may_run], [9, false]);
      assert.deepEqual(
        plan.migrations.map(({ version }) => version),
        before.flatMap(({ version, applied }) => (applied ? [] : [version])),
      );
      const tables = (version: number) =>
        new Map(
          plan.migrations.find((each) => each.version === version)?.tables.map((each) => [each.table, each]),
        );
      const users = tables(37).get("users");
      assert.deepEqual([users?.rows, users?.indexes], [rows.users, 4]);
      const apps = tables(17).get("oauth_apps");
      const waits = database.name === "SQLite" ? "writers" : "everybody";
      assert.deepEqual([apps?.rows, apps?.filled, apps?.waits], [rows.oauth_apps, true, waits]);
      assert.ok(plan.seconds > 0);

      await store.migrate(new Date(), firstBeside.schema);
      assert.equal((await store.planMigrations()).servers_may_run, true);
      await store.migrate(new Date());
      assert.deepEqual((await store.planMigrations()).migrations, []);
    });

    test("is printed as text and as JSON, with exit code 1 if servers must be stopped", async () => {
      const address = await database.address();
      await restoreDump("0.1.0", address);
      const url = address.kind === "sqlite" ? `sqlite:${address.path}` : address.url;
      const environment = {
        POSTERN_DATABASE_URL: url,
        POSTERN_SECRET_KEY: secretKey,
        ...(address.kind === "postgres" && { POSTERN_DATABASE_PROFILE: address.profile ?? "native" }),
      };
      const reported = await runPostern(["migrate", "plan"], { environment });
      assert.equal(reported.code, 1, reported.err);
      assert.match(reported.out, /^The database is at version 5; /);
      assert.match(
        reported.out,
        /\n {2}10 {2}Adds the algorithm of each signing key\.\n {6}signing_keys: 1 row; /,
      );
      assert.match(reported.out, /Stop every process of the earlier version first/);
      const { out } = await runPostern(["migrate", "plan", "--json"], { environment });
      assert.equal((JSON.parse(out) as { from: number }).from, 5);
    });
  });

/** Statements that break a process using the earlier tables, or lose its writes. */
const takesAway =
  /\b(?:DROP (?:TABLE|COLUMN)|RENAME|ALTER COLUMN \w+ (?!SET STATISTICS)|SET NOT NULL|ADD CONSTRAINT|TRUNCATE|DELETE FROM)\b/i;

test("contains only additions, so that processes of the previous version keep running", () => {
  const types = new Proxy({}, { get: (_, kind) => String(kind).toUpperCase() }) as Record<Kind, string>;
  const later = migrations.filter(({ version }) => version > firstBeside.schema);
  assert.ok(later.length > 0);
  for (const { name, sql } of later)
    for (const database of ["sqlite", "postgres"] as const) {
      const text = sql(types, database);
      // Triggers of SQLite maintain the search words of a record for a process that does not know them.
      const statements = text.replaceAll(/CREATE TRIGGER [^\n]*/g, "");
      assert.doesNotMatch(statements, takesAway, name);
      for (const [column] of statements.matchAll(/ADD COLUMN [^;]*NOT NULL[^;]*/g))
        assert.match(column, /DEFAULT|GENERATED/, `${name}: a row that the version before writes lacks it`);
    }
});
