/** The server as an operator runs it: `bin/postern.js` in a separate process with a separate data folder. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CommandLine } from "../cli/terminal.ts";
import { atEnd } from "./at_end.ts";
import { freePort, isLasting } from "./free_port.ts";
import { servedProgram } from "./served_program.ts";
import { putTables } from "./sqlite_template.ts";
import { quickFolder, temporaryFolder } from "./temp.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** The milliseconds after which a server without output counts as failed to start. */
const maxWait = 60_000;

export type Environment = Readonly<Record<string, string>>;

export interface Finished {
  /** The exit code; null if a signal ended the process. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ServedProcess {
  /** The address in the server's log; also the issuer unless the environment sets another. */
  readonly url: string;
  readonly pid: number;
  readonly port: number;
  /** The data folder. */
  readonly folder: string;
  /** The start options: reusing them restarts the server at the same address with the same data. */
  readonly environment: Environment;
  /** Returns everything that the server has written so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

export interface ServeOptions {
  readonly command?: "serve" | "dev";
  /**
   * The command that starts the server instead of Node, such as `["npm", "start"]`; `stop` sends its signals
   * to this command.
   */
  readonly launcher?: readonly string[];
  /** A folder with data of an earlier process; a new one by default. */
  readonly folder?: string;
  /** Variables in addition to the usual ones. */
  readonly environment?: Environment;
  /** Whether the server creates its tables, for tests of the first start; otherwise they are copied. */
  readonly empty?: boolean;
  /** Applied before the start with `postern apply`. */
  readonly manifest?: object;
  /** Required for `restarted`: uses a port that no other connection may receive meanwhile. */
  readonly restarts?: boolean;
}

const running = new Set<ChildProcess>();

// Processes that still run are killed when this process exits, for whatever reason.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Removes the caller's settings, and adds a data folder and a free port. */
function environmentOf(folder: string, values: Environment): Environment {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(?:POSTERN_|NODE_)/.test(name),
  );
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    POSTERN_DATABASE_URL: `sqlite:${join(folder, "data", "postern.db")}`,
    POSTERN_PORT: "0",
    ...values,
  };
}

/**
 * Removes the variables of the npm that runs the tests, as in a shell, so that `npm` is the one of the
 * machine and runs on its Node.
 */
function outsideNpm(env: Environment): Environment {
  const kept = Object.entries(env).filter(([name]) => !/^npm_/i.test(name));
  const PATH = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => !folder.endsWith(join("node_modules", ".bin")));
  return { ...Object.fromEntries(kept), PATH: PATH.join(delimiter), npm_config_cache: temporaryFolder() };
}

const byNode = [process.execPath, servedProgram];

function start([file = "", ...args]: readonly string[], env: Environment, cwd: string) {
  const child = spawn(file, args, { env, cwd, stdio: ["pipe", "pipe", "pipe"] });
  running.add(child);
  atEnd(() => child.kill("SIGKILL"));
  const written = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.err += text;
  });
  const finished = once(child, "close").then(([code]): Finished => {
    running.delete(child);
    return { code, ...written };
  });
  return { child, written, finished };
}

interface CommandOptions {
  /** The folder of a server, to work on its data. */
  readonly folder?: string;
  readonly environment?: Environment;
  readonly input?: string;
}

export interface RunningCommand {
  readonly pid: number;
  /** Returns its standard output so far. */
  readonly out: () => string;
  /** Returns its standard error so far. */
  readonly err: () => string;
  readonly finished: Promise<Finished>;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** Starts a command of `postern` that keeps running until an event or a signal. */
export function startPostern(
  args: readonly string[],
  { folder = temporaryFolder(quickFolder()), environment = {}, input = "" }: CommandOptions = {},
): RunningCommand {
  const { child, written, finished } = start(
    [...byNode, ...args],
    environmentOf(folder, environment),
    folder,
  );
  child.stdin.end(input);
  return {
    pid: child.pid ?? 0,
    out: () => written.out,
    err: () => written.err,
    finished,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return finished;
    },
  };
}

/** Runs a command of `postern` until it ends. */
export function runPostern(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  return startPostern(args, options).finished;
}

/**
 * Runs commands on the data of a server in this process, because separate processes would each load the
 * program again.
 */
export async function commandsOn({
  folder,
  environment = {},
}: {
  readonly folder: string;
  readonly environment?: Environment;
}): Promise<CommandLine> {
  const { commandLine } = await import("../cli/terminal.ts");
  return commandLine(environmentOf(folder, environment));
}

/** Applies the manifest to the data of a folder. Throws with the command's output if it fails. */
export async function applyTo(
  folder: string,
  manifest: object,
  environment: Environment = {},
): Promise<unknown> {
  return (await commandsOn({ folder, environment })).json("apply -", JSON.stringify(manifest));
}

/** Returns the line `"msg":"listening"` of a process's output. */
export function listeningLine(out: string): Record<string, unknown> | undefined {
  const line = out.split("\n").find((each) => each.includes('"msg":"listening"'));
  return line === undefined ? undefined : (JSON.parse(line) as Record<string, unknown>);
}

/**
 * Starts a server and waits until it reports its address. It is killed with the test process at the latest.
 */
export async function servedProcess({
  command = "serve",
  folder = temporaryFolder(quickFolder()),
  environment: values = {},
  manifest,
  launcher,
  empty = command === "dev" || launcher !== undefined,
  restarts = false,
}: ServeOptions = {}): Promise<ServedProcess> {
  if (!empty) putTables(join(folder, "data", "postern.db"));
  const environment = restarts ? { ...values, POSTERN_PORT: String(await freePort()) } : values;
  if (manifest !== undefined) await applyTo(folder, manifest, environment);
  const env = environmentOf(folder, environment);
  const { child, written, finished } =
    launcher === undefined
      ? start([...byNode, command], env, folder)
      : start(launcher, outsideNpm(env), project);
  const deadline = Date.now() + maxWait;
  let line: Record<string, unknown> | undefined;
  while (line === undefined) {
    const ended = await Promise.race([finished, wait(10)]);
    line = listeningLine(written.out);
    if (line !== undefined) break;
    if (ended !== undefined) throw new Error(`the server ended with ${ended.code}: ${ended.err}${ended.out}`);
    if (Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(`the server did not listen: ${written.err}${written.out}`);
    }
  }
  const url = String(line.url);
  const port = Number(new URL(url).port);
  return {
    url,
    port,
    folder,
    pid: launcher === undefined ? (child.pid ?? 0) : Number(line.pid),
    environment: { ...environment, POSTERN_PORT: String(port) },
    out: () => written.out,
    err: () => written.err,
    stop(signal = "SIGTERM") {
      child.kill(signal);
      return finished;
    },
  };
}

/**
 * Starts the same server again, with the same data and address; it must have been started with `restarts`.
 */
export function restarted(
  { folder, environment }: Pick<ServedProcess, "folder" | "environment">,
  changed: Environment = {},
): Promise<ServedProcess> {
  const port = { ...environment, ...changed }.POSTERN_PORT;
  if (port !== "0" && !isLasting(Number(port)))
    throw new Error(`start it with restarts: port ${port} may go to others`);
  return servedProcess({ folder, environment: { ...environment, ...changed } });
}
