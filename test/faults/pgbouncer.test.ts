/** The server behind the PgBouncer of the distribution, where that is installed. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../support/free_port.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { runPostern, servedProcess } from "../support/process.ts";
import { temporaryFolder } from "../support/temp.ts";

const program = "/usr/sbin/pgbouncer";
const skip = existsSync(program) ? false : "PgBouncer is not installed (apt-get install pgbouncer)";

const endings: (() => unknown)[] = [];
after(async () => {
  for (const end of endings.reverse()) await end();
});

/** A database behind a PgBouncer in this mode; settings of a server over it. */
async function behind(pool_mode: string): Promise<Record<string, string>> {
  const database = await postgresDatabase();
  endings.push(database.drop);
  const { hostname, port: target, username, password, pathname } = new URL(database.url);
  const folder = temporaryFolder();
  const port = await freePort();
  writeFileSync(join(folder, "users.txt"), `"${username}" "${password}"\n`);
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    [
      ...["[databases]", `* = host=${hostname} port=${target}`, "[pgbouncer]", "listen_addr = 127.0.0.1"],
      ...[`listen_port = ${port}`, "unix_socket_dir =", "auth_type = scram-sha-256"],
      ...[`auth_file = ${join(folder, "users.txt")}`, `pool_mode = ${pool_mode}`, "default_pool_size = 40"],
    ].join("\n"),
  );
  const asRoot = process.getuid?.() === 0;
  // It refuses to run as root, and its files are secret.
  if (asRoot)
    for (const path of [folder, ...["users.txt", "pgbouncer.ini"].map((name) => join(folder, name))])
      chmodSync(path, 0o755);
  const bouncer = spawn(program, [...(asRoot ? ["-u", "nobody"] : []), join(folder, "pgbouncer.ini")], {
    stdio: "ignore",
  });
  endings.push(() => bouncer.kill("SIGKILL"));
  await listens(port);
  return {
    POSTERN_DATABASE_URL: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
  };
}

async function listens(port: number): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt++) {
    const socket = connect(port, "127.0.0.1");
    const open = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open) return;
    await wait(20);
  }
  throw new Error("PgBouncer did not listen");
}

test("F-13: behind PgBouncer in session mode everything works, notices too", { skip }, async () => {
  const environment = await behind("session");
  const server = await servedProcess({ environment });
  endings.push(() => server.stop("SIGKILL"));
  const ready = await fetch(`${server.url}/readyz`);
  assert.deepEqual(await ready.json(), {
    status: "ready",
    components: { database: "ok", notices: "ok", migrations: "ok", signing_key: "ok" },
  });
  assert.equal((await server.stop()).code, 0);
});

for (const mode of ["transaction", "statement"]) {
  test(`F-13: behind PgBouncer in ${mode} mode server and doctor say what is needed`, { skip }, async () => {
    const environment = await behind(mode);
    const sentence = /this server needs its session mode, or a direct connection/;
    const [served, examined] = await Promise.all(
      [["serve", "--port", "0"], ["doctor"]].map((args) => runPostern(args, { environment })),
    );
    assert.equal(served?.code, 1);
    assert.match(`${served?.out}${served?.err}`, sentence);
    assert.equal(examined?.code, 1);
    assert.match(`${examined?.out}${examined?.err}`, sentence);
  });
}
