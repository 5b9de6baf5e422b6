import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { basic } from "../support/flows.ts";
import { restarted, runPostern, servedProcess } from "../support/process.ts";
import { servedProgram } from "../support/served_program.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";
import { machine, manifest } from "./registrations.ts";

test("F-28: a server whose database file was moved responds 503, reports it at /readyz and in the log, and recovers when the file returns", async () => {
  const served = await servedProcess({ manifest });
  const issue = () =>
    fetch(`${served.url}/oauth/token`, {
      method: "POST",
      headers: { authorization: basic(machine.client_id, machine.secret) },
      body: new URLSearchParams({ grant_type: "client_credentials", scope: "orders:read" }),
    });
  assert.equal((await issue()).status, 200);
  const database = join(served.folder, "data", "postern.db");
  renameSync(database, `${database}.moved`);
  const refused = await issue();
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "2"]);
  const ready = await fetch(`${served.url}/readyz`);
  const { components } = (await ready.json()) as { components: Record<string, string> };
  assert.deepEqual([ready.status, components.database], [503, "gone"]);
  await until(() => served.out().includes("no longer exists"), "the log says so");
  renameSync(`${database}.moved`, database);
  assert.equal((await issue()).status, 200);
  assert.equal((await served.stop()).code, 0);
});

test("F-29: if the secret key exists without its database, no new one is created, and doctor reports it", async () => {
  const served = await servedProcess({ manifest, restarts: true });
  await served.stop();
  const { folder, environment } = served;
  const data = join(folder, "data");
  const database = join(data, "postern.db");
  for (const suffix of ["-wal", "-shm", ""]) rmSync(database + suffix, { force: true });
  for (const empty of [false, true]) {
    if (empty) writeFileSync(database, "");
    for (const command of [["serve"], ["user", "list"], ["migrate"], ["doctor"]]) {
      const { code, out, err } = await runPostern(command, { folder, environment });
      assert.equal(code, 1, command.join());
      assert.match(out + err, /secret\.key belongs to an existing database: is its volume mounted\?/);
      assert.match(out + err, /To start over, remove the key/);
      assert.doesNotMatch(out + err, /setup/);
    }
    assert.deepEqual(readdirSync(data).sort(), empty ? ["postern.db", "secret.key"] : ["secret.key"]);
  }
  rmSync(join(data, "secret.key"));
  const anew = await restarted(served);
  assert.equal((await anew.stop()).code, 0);
});

test("F-33: a damaged database prevents startup with a message", async () => {
  const served = await servedProcess({ manifest });
  await served.stop();
  const { folder, environment } = served;
  const database = join(folder, "data", "postern.db");
  const whole = readFileSync(database);
  // Damage to the header, and to the tables after it.
  for (const [from, to] of [
    [0, 100],
    [4096, whole.length],
  ] as const) {
    writeFileSync(
      database,
      Buffer.concat([whole.subarray(0, from), Buffer.alloc(to - from, 0xff), whole.subarray(to)]),
    );
    const { code, err } = await runPostern(["serve"], { folder, environment });
    assert.equal(code, 1);
    assert.match(err, /the database file is damaged: stop the server, and restore a backup/);
    assert.doesNotMatch(err, /\n\s+at /);
  }
});

test("F-29: an empty secret.key prevents startup with a message", async () => {
  const served = await servedProcess({ manifest });
  await served.stop();
  const { folder, environment } = served;
  writeFileSync(join(folder, "data", "secret.key"), "\n");
  for (const command of ["serve", "doctor"]) {
    const { code, out, err } = await runPostern([command], { folder, environment });
    assert.equal(code, 1);
    assert.match(out + err, /the secret key is empty/);
    assert.doesNotMatch(out + err, /TypeError|\n\s+at /);
  }
});

test("F-29: a start after kill -9 reports that the write-ahead log is being recovered", async () => {
  const served = await servedProcess({ manifest, restarts: true });
  await served.stop("SIGKILL");
  const again = await restarted(served);
  assert.match(again.out(), /"bytes":\d+,"msg":"the database was not closed, or another process has it open/);
  assert.equal((await again.stop()).code, 0);
  const quiet = await restarted(served);
  assert.doesNotMatch(quiet.out(), /was not closed/);
  await quiet.stop();
});

test("F-29: a low limit on open files is reported at startup", {
  skip: !existsSync("/proc/self/limits") && "this system has no /proc/self/limits",
}, async () => {
  const program = servedProgram;
  const env = {
    PATH: process.env.PATH ?? "",
    POSTERN_PORT: "0",
    POSTERN_DATABASE_URL: `sqlite:${join(temporaryFolder(), "postern.db")}`,
  };
  const limited = `ulimit -n 256; exec "$0" "$1" serve`;
  const child = spawn("sh", ["-c", limited, process.execPath, program], { env });
  let out = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  await until(() => out.includes('"msg":"listening"') || child.exitCode !== null, "the server listens");
  assert.equal(child.exitCode, null, out);
  child.kill("SIGTERM");
  await once(child, "exit");
  assert.match(
    out,
    /"level":"warn".*"descriptors":256,"msg":"the process may open fewer than 1024 file descriptors/,
  );
});
