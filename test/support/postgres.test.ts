import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { Client } from "pg";
import { postgresDatabase } from "./postgres.ts";
import { temporaryFolder } from "./temp.ts";
import { until } from "./until.ts";

async function query(url: string, sql: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: sql, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

test("every test gets its own empty database on a PostgreSQL that keeps acknowledged commits", async () => {
  const [one, other] = await Promise.all([postgresDatabase(), postgresDatabase()]);
  await query(one.url, "CREATE TABLE only_here (id int)");
  assert.deepEqual(await query(other.url, "SELECT to_regclass('only_here')"), [[null]]);
  const durable = "SELECT current_setting('fsync'), current_setting('synchronous_commit')";
  assert.deepEqual(await query(one.url, durable), [["on", "on"]]);
  assert.deepEqual(await query(one.url, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"), [
    [false],
  ]);
  await Promise.all([one.drop(), other.drop()]);
});

test("dropping a test database ends its remaining connections", async () => {
  const database = await postgresDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const ended = new Promise<unknown>((resolve) => client.on("error", resolve));
  await database.drop();
  assert.match(String(await ended), /terminat/);
  await assert.rejects(query(database.url, "SELECT 1"), { code: "3D000" });
});

test("a test process that is killed leaves no PostgreSQL running", async (t) => {
  const [temp, data] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [temp, data]) chmodSync(folder, 0o755);
  const made = () => [temp, data].map((folder) => readdirSync(folder).length);
  const script = `
    import { startPostgres } from ${JSON.stringify(import.meta.resolve("./postgres.ts"))};
    console.log((await startPostgres()).url);
    setInterval(() => {}, 1000);`;
  const victim = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, TMPDIR: temp, TEST_POSTGRES_DATA_IN: data },
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => victim.kill("SIGKILL"));
  const [url] = await once(victim.stdout, "data");
  assert.deepEqual(await query(String(url).trim(), "SELECT 1"), [[1]]);
  assert.deepEqual(made(), [1, 1]);
  victim.kill("SIGKILL");
  await until(() => made().every((folders) => folders === 0), "its folders are removed");
  await assert.rejects(query(String(url).trim(), "SELECT 1"), { code: "ECONNREFUSED" });
});
