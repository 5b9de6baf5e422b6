import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Client } from "pg";
import { databaseOn } from "../../src/storage/database/database.ts";
import { arg, statement } from "../../src/storage/database/statement.ts";
import { openPostgres } from "../../src/storage/postgres/driver.ts";
import { familyLives, momentsOf } from "../../src/storage/sweep/conditions.ts";
import { laterEnd } from "../../src/storage/sweep/ended.ts";
import { grantRules } from "../../src/storage/tokens/grants.ts";
import { accessOnly, anApp, aToken, aUser, insertMany, later, start, tokenOf } from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";

const database = databases.find(({ name }) => name === "PostgreSQL");

test("design 5: a refresh token is found by its index even if nearly all tokens have no user", async () => {
  const address = await database?.tables();
  assert.ok(address?.kind === "postgres");
  const store = await openStoreAt(address);
  const [app, user] = [await anApp(store), await aUser(store)];
  const row = () => tokenOf({ app_id: app.id, user_id: null, ...accessOnly });
  await insertMany(store, "oauth_tokens", 2000, row);
  const client = new Client({ connectionString: address.url });
  await client.connect();
  await client.query("ANALYZE");
  const token = await aToken(store, { app_id: app.id, user_id: user.id });

  const driver = await openPostgres(address.url);
  const sent: string[] = [];
  const watched = databaseOn({
    ...driver,
    runBatch(statements) {
      sent.push(...statements.map(({ sql }) => sql));
      return driver.runBatch(statements);
    },
  });
  const replacement = tokenOf({ app_id: app.id, user_id: user.id, family_id: token.family_id });
  await grantRules(watched, store.newId).rotateRefreshToken({ id: token.id, replacement, now: later(1) });
  const spend = sent.find((sql) => sql.includes("rotated_at"));
  assert.ok(spend);

  const places = Math.max(...[...spend.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE spend AS ${spend}`);
  const { rows } = await client.query<{ "QUERY PLAN": string }>(
    `EXPLAIN EXECUTE spend (${Array.from({ length: places }, () => "NULL").join(", ")})`,
  );
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  assert.match(plan, /Index Scan using oauth_tokens_pkey on oauth_tokens/);
  assert.doesNotMatch(plan, /oauth_tokens_user_id|Seq Scan on oauth_tokens/);
  await client.end();
  await driver.close();
});

for (const each of databases)
  test(`F-23: an index finds the newest token of a family, which decides whether it is active, on ${each.title}`, async () => {
    const at = await each.tables();
    const store = await openStoreAt(at);
    const { app_id, user_id, family_id } = await aToken(store);
    // One family of a thousand tokens among a thousand families of one.
    await insertMany(store, "oauth_tokens", 2000, (index) =>
      tokenOf({ app_id, user_id, ...(index % 2 === 0 && { family_id }) }),
    );
    const driver = await openDriver(at);
    if (each.name === "PostgreSQL") await driver.queryUnprepared("ANALYZE", []);
    const { dialect } = driver;
    const families = sql`(${dialect.idsOf(arg.string("families"))}) AS f`;
    const requested = statement(
      dialect,
      "oauth_tokens",
      () => sql`SELECT ${familyLives("f.id")} FROM ${families}`,
    );
    const args = { ...momentsOf(start, {}), families: JSON.stringify([family_id]) };
    const explained = requested.prepare(args);
    const explain = each.name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN";
    const plan = await driver.queryUnprepared(`${explain} ${explained.sql}`, explained.parameters);
    const reported = plan.map((row) => String(row.detail ?? row["QUERY PLAN"])).join("\n");
    assert.match(
      reported,
      each.name === "SQLite"
        ? /SEARCH l USING INDEX oauth_tokens_family_id \(family_id=\?\)/
        : /Index Scan Backward using oauth_tokens_family_id/,
    );
    assert.doesNotMatch(reported, /Sort|ORDER BY|SCAN l|Seq Scan/);
    const due = statement(
      dialect,
      "oauth_tokens",
      () => sql`SELECT ${laterEnd} AS ends FROM oauth_tokens AS t
      WHERE ${laterEnd} IS NOT NULL AND ${laterEnd} > ${arg.time("before")} AND ${laterEnd} <= ${arg.time("now")}`,
    );
    const found = due.prepare(args);
    const ends = await driver.queryUnprepared(`${explain} ${found.sql}`, found.parameters);
    assert.match(JSON.stringify(ends), /oauth_tokens_both_expire_at/);
    await driver.close();
  });
