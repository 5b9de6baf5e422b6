/** The distribution's PgBouncer in front of a PostgreSQL database. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "./free_port.ts";
import { postgresDatabase } from "./postgres.ts";
import { temporaryFolder } from "./temp.ts";
import { until } from "./until.ts";

export const pgBouncerProgram = "/usr/sbin/pgbouncer";

/**
 * Creates a database behind a PgBouncer in this mode, and returns the settings of a server that uses it.
 * `atEnd` receives the cleanup functions, that of the database last.
 */
export async function behindPgBouncer(
  pool_mode: "session" | "transaction" | "statement",
  atEnd: (end: () => unknown) => void,
): Promise<Record<string, string>> {
  const database = await postgresDatabase();
  atEnd(database.drop);
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
  // PgBouncer refuses to run as root, and only root can read these files.
  if (asRoot)
    for (const path of [folder, ...["users.txt", "pgbouncer.ini"].map((name) => join(folder, name))])
      chmodSync(path, 0o755);
  const account = asRoot ? ["-u", "nobody"] : [];
  const bouncer = spawn(pgBouncerProgram, [...account, join(folder, "pgbouncer.ini")], { stdio: "ignore" });
  atEnd(() => bouncer.kill("SIGKILL"));
  await until(() => listens(port), "PgBouncer listens");
  return {
    POSTERN_DATABASE_URL: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const open = await once(socket, "connect").then(
    () => true,
    () => false,
  );
  socket.destroy();
  return open;
}
