/** Runs `postern serve` as an operator does, and observes it from outside. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../test/support/free_port.ts";
import { servedProgram } from "../../test/support/served_program.ts";
import { requesterOf } from "./http.ts";

/** Milliseconds for the start, and for the exit after SIGTERM. */
const maxWait = 30_000;

export type Environment = Readonly<Record<string, string>>;

export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  readonly is_running: boolean;
  /** Returns the number of unexpected exits of the process and of its workers. */
  readonly gone: () => number;
  /** Returns the last lines of its output, for reports. */
  readonly said: () => string;
  /** Starts it again with the same address and data. */
  start(): Promise<void>;
  /** Starts it, without waiting until it responds. */
  launch(): void;
  /** Waits until it is ready. Throws if it exits instead, or is not ready in time. */
  listens(): Promise<void>;
  /**
   * Returns the number of acknowledged revocations that still wait for the database, from its metrics;
   * undefined if unknown.
   */
  revocationsWaiting(): Promise<number | undefined>;
  /** Returns whether `/readyz` returns 200. */
  isReady(): Promise<boolean>;
  /** Returns the processes that share the port. */
  workers(): number[];
  /** Sends SIGKILL to a worker. Its exit counts as expected. */
  killWorker(pid: number): void;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
  /** Sends SIGTERM. Returns the exit code, or the signal that was needed because it did not exit. */
  stop(): Promise<string>;
}

export interface ServerOptions {
  readonly folder: string;
  readonly environment: Environment;
  /** The file of its standard output; without one, only `said` has the output. */
  readonly log_file?: string;
}

/** Returns an environment without the caller's settings of Postern and Node. */
function environmentWith(input: Environment): Environment {
  const inherited = Object.entries(process.env).filter(
    ([name, value]) => value !== undefined && !/^(?:POSTERN_|NODE_)/.test(name),
  );
  return { ...(Object.fromEntries(inherited) as Record<string, string>), ...input };
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Runs another command of `postern`. Throws an error with its output if it fails. */
async function runPostern(args: readonly string[], folder: string, environment: Environment): Promise<void> {
  const child = spawn(process.execPath, [servedProgram, ...args], {
    env: environmentWith(environment),
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`postern ${args[0]} ended with ${code}: ${complaint}`);
}

/** Applies the manifest to a new database. */
export async function apply(manifest: object, folder: string, environment: Environment): Promise<void> {
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  await runPostern(["apply", "manifest.json"], folder, environment);
}

/**
 * Starts a server on a free port. Tries again with another port if another program takes the port before the
 * server listens.
 */
export async function serverProcess(options: ServerOptions): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt++) {
    const server = watched(options, await freePort(), await freePort());
    try {
      await server.start();
      return server;
    } catch (error) {
      await server.kill();
      if (attempt === 5 || !String(error).includes("is taken by another process")) throw error;
    }
  }
}

function watched(
  { folder, environment, log_file }: ServerOptions,
  port: number,
  metrics_port: number,
): ServerProcess {
  const ports = { POSTERN_PORT: String(port), POSTERN_METRICS_PORT: String(metrics_port) };
  const env = environmentWith({ ...environment, ...ports });
  const requester = requesterOf(port);
  const metricsCollector = requesterOf(metrics_port);
  const said: string[] = [];
  const dismissed = new Set<number>();
  let child: ChildProcess | undefined;
  let gone = 0;

  function hear(line: string): void {
    if (said.push(line) > 40) said.shift();
    // Only the first process reports the exits of workers. Expected exits are subtracted.
    if (line.includes("a worker ended")) gone += 1;
  }

  function launch(): void {
    const out = log_file === undefined ? "pipe" : openSync(log_file, "a");
    const started = spawn(process.execPath, [servedProgram, "serve"], {
      env,
      cwd: folder,
      stdio: ["ignore", out, "pipe"],
    });
    child = started;
    running.add(started);
    for (const stream of [started.stdout, started.stderr])
      if (stream !== null) createInterface(stream).on("line", hear);
    started.once("exit", (code, signal) => {
      running.delete(started);
      if (dismissed.has(started.pid ?? 0)) return;
      gone += 1;
      hear(`the process ended with ${code ?? signal}`);
    });
  }

  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null;

  async function listens(): Promise<void> {
    for (const deadline = Date.now() + maxWait; Date.now() < deadline; await wait(10)) {
      if (!isRunning()) throw new Error(`the server ended: ${said.join("\n")}`);
      if ((await requester.ask({ path: "/healthz", timeout: 2000 })).status === 200) return;
    }
    throw new Error(`the server did not listen: ${said.join("\n")}`);
  }

  async function end(signal: NodeJS.Signals): Promise<string> {
    if (child === undefined || !isRunning()) return "gone";
    dismissed.add(child.pid ?? 0);
    const over = once(child, "exit");
    child.kill(signal);
    const late = setTimeout(() => child?.kill("SIGKILL"), maxWait);
    const [code, by] = await over;
    clearTimeout(late);
    return String(code ?? by);
  }

  const server: ServerProcess = {
    url: `http://localhost:${port}`,
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    get is_running() {
      return isRunning();
    },
    gone: () => gone,
    said: () => said.join("\n"),
    launch,
    listens,
    async start() {
      launch();
      await listens();
    },
    async revocationsWaiting() {
      const { status, body } = await metricsCollector.ask({ path: "/metrics", timeout: 2000 });
      const line = status === 200 ? /^postern_revocations_waiting (\d+)$/m.exec(body) : null;
      return line?.[1] === undefined ? undefined : Number(line[1]);
    },
    async isReady() {
      return (await requester.ask({ path: "/readyz", timeout: 5000 })).status === 200;
    },
    workers: () => childrenOf(child?.pid ?? 0),
    killWorker(pid) {
      gone -= 1;
      process.kill(pid, "SIGKILL");
    },
    async kill() {
      await end("SIGKILL");
    },
    stop: () => end("SIGTERM"),
  };
  return server;
}

/** Returns the child processes of `pid`; on Linux only. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return text.split(" ").filter(Boolean).map(Number);
}
