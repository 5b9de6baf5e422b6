import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "pg";
import { databaseOn } from "../../src/storage/database.ts";
import { openPostgres } from "../../src/storage/postgres/driver.ts";
import { grantRules } from "../../src/storage/tokens/grants.ts";
import { accessOnly, anApp, aToken, aUser, later, start, tokenOf } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

const database = databases.find(({ name }) => name === "PostgreSQL");

test("design 5: where nearly all tokens have no user, a refresh token is still spent by its key alone", async () => {
  const address = await database?.address();
  assert.ok(address?.kind === "postgres");
  const store = await openStoreAt(address);
  await store.migrate(start);
  const [app, user] = [await anApp(store), await aUser(store)];
  await Promise.all(
    Array.from({ length: 2000 }, () =>
      store.insertToken(tokenOf({ app_id: app.id, user_id: null, ...accessOnly })),
    ),
  );
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
