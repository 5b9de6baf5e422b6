import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { runPostern, startPostern } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";
import { until } from "../support/until.ts";

const program = join(import.meta.dirname, "..", "..", "bin", "postern.js");

function postern(args: readonly string[], input = "") {
  const folder = temporaryFolder();
  const { PATH = "" } = process.env;
  const env = { PATH, POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}` };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

test("the program's exit code, standard output and standard error are those of its command", () => {
  const applied = postern(["apply", "-", "--json"], "organizations: [{ slug: acme, name: Acme }]");
  assert.deepEqual(
    [applied.status, JSON.parse(applied.stdout).created, applied.stderr],
    [0, ["organization acme"], "1 created, 0 updated, 0 unchanged.\n"],
  );
  const failed = postern(["org", "get", "acme"]);
  assert.deepEqual(
    [failed.status, failed.stdout, failed.stderr],
    [1, "", 'there is no organization "acme"\n'],
  );
  const wrong = postern(["nothing"]);
  assert.deepEqual([wrong.status, wrong.stdout], [2, ""]);
  assert.match(wrong.stderr, /unknown command 'nothing'/);
});

test("F-38: a server that cannot listen on its metrics port exits with a message that names the setting", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const inUse = await runPostern(["serve"], { environment: { POSTERN_METRICS_PORT: String(port) } });
  taken.close();
  assert.equal(inUse.code, 1);
  assert.match(inUse.err, /^port \d+ of 127\.0\.0\.1 is taken .* with POSTERN_METRICS_PORT$/m);
  // An address for documentation (RFC 5737), which no machine has.
  const elsewhere = { POSTERN_METRICS_PORT: "0", POSTERN_METRICS_HOST: "192.0.2.1" };
  const foreign = await runPostern(["serve"], { environment: elsewhere });
  assert.equal(foreign.code, 1);
  assert.match(foreign.err, /^this machine has no address 192\.0\.2\.1: .* POSTERN_METRICS_HOST$/m);
});

test("F-20: a shutdown ends a hanging command for the secret key", async () => {
  const listening = createServer().listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  const command = join(temporaryFolder(), "hang.js");
  writeFileSync(command, `require("node:net").connect(${port}, "127.0.0.1").resume()`);
  const server = startPostern(["serve"], {
    environment: { POSTERN_SECRET_KEY_COMMAND: `${process.execPath} ${command}` },
  });
  const [connection] = (await once(listening, "connection")) as [Socket];
  listening.close();
  connection.on("error", () => {}).resume();
  try {
    assert.equal((await server.stop()).code, 0);
    await until(() => connection.closed, "the command ends");
  } finally {
    connection.destroy();
  }
});
