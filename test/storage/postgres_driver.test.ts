import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { anApp, start } from "../support/builders.ts";
import { databases, openStoreAt } from "../support/databases.ts";

const database = databases.find(({ name }) => name === "PostgreSQL");

test("design 5: when PostgreSQL ends every connection, no change is missed for longer than a second", async () => {
  assert.ok(database);
  const address = await database.address();
  const errors: Error[] = [];
  const here = await openStoreAt(address, { onError: (error) => errors.push(error) });
  await here.migrate(start);
  const app = await anApp(here);
  await here.findClient(app.client_id);
  const there = await openStoreAt(address, { onError: () => {} });

  await there.transaction(async ({ connection }) => {
    const others = "datname = current_database() AND pid <> pg_backend_pid()";
    await connection.all(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`, []);
  });
  await there.update("oauth_apps", { id: app.id }, { name: "Renamed meanwhile" });
  await wait(1000);
  assert.equal((await here.findClient(app.client_id))?.app.name, "Renamed meanwhile");
  assert.ok(errors.length > 0);

  // Both listen again.
  await wait(700);
  const kept = await here.findClient(app.client_id);
  assert.equal(await here.findClient(app.client_id), kept);
  let heard = 0;
  here.onChange(() => {
    heard++;
  });
  await there.update("oauth_apps", { id: app.id }, { name: "Renamed again" });
  await wait(300);
  assert.ok(heard > 0);
  assert.equal((await here.findClient(app.client_id))?.app.name, "Renamed again");
});

test("a PostgreSQL that is not there is an error at opening, not a process that hangs", async () => {
  const nowhere = { kind: "postgres", url: "postgres://nobody:none@127.0.0.1:1/none" } as const;
  await assert.rejects(openStoreAt(nowhere), { code: "ECONNREFUSED" });
});
