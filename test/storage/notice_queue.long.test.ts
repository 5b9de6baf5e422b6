/** PostgreSQL without room for notices, in a separate cluster because all its databases share the queue. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { aUser, start } from "../support/builders.ts";
import { type ControlledPostgres, controlledPostgres } from "../support/controlled_postgres.ts";
import { openStoreAt } from "../support/databases.ts";
import { until } from "../support/until.ts";

let cluster: ControlledPostgres;
before(async () => {
  // The minimum: 512 KiB.
  cluster = await controlledPostgres("max_notify_queue_pages=64");
});
after(() => cluster.remove());

test("F-6: while PostgreSQL's notification queue is full, changes get 503 and the server stays ready", async () => {
  const errors: string[] = [];
  const url = await cluster.createDatabase("queue");
  const store = await openStoreAt(
    { kind: "postgres", url },
    { onError: (error) => errors.push(error.message) },
  );
  await store.migrate(start);
  const connected = async () => {
    const client = new Client({ connectionString: url });
    await client.connect();
    return client;
  };
  const [listener, sender] = [await connected(), await connected()];
  // A listener within a transaction keeps every notice in the queue.
  await listener.query("LISTEN anything");
  await listener.query("BEGIN; SELECT 1");
  const fill = () => sender.query("SELECT pg_notify('anything', repeat('x', 7800))");
  const isRefused = (work: () => Promise<unknown>) =>
    work().then(
      () => false,
      ({ kind, code }) => kind === "full" && code === "54000",
    );
  await until(() =>
    fill().then(
      () => false,
      () => true,
    ),
  );
  assert.ok(await isRefused(() => aUser(store)));
  await wait(1000);
  await store.proveWritable();
  assert.equal(errors.length, 1, "one line, although each heartbeat is refused");
  await listener.query("COMMIT");
  await until(async () => !(await isRefused(() => aUser(store))));
  await Promise.all([listener.end(), sender.end(), store.close()]);
});
