/** Starts the processes of a benchmark. Each ends at the latest with the process that started it. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadPlan, LoadReport } from "./load_plan.ts";

export interface ProgramOptions {
  /** The script and its arguments, run with the Node of this process. */
  readonly args: readonly string[];
  /** Added to this process's environment, from which settings of Postern are removed. */
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its standard input as JSON. */
  readonly input?: unknown;
}

export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  /** The address that the server's own log line states. */
  readonly url: string;
  /** The time from starting the process to the first 200 of `ready_path`. */
  readonly cold_start_seconds: number;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

const startTimeout_seconds = 30;
/** Longer than the ten seconds in which a server may finish requests in progress. */
const stopTimeout_seconds = 12;

/**
 * Starts a server that prints a line of JSON with `"msg":"listening"` and its `url`, and waits until
 * `ready_path` returns 200. Throws if the server exits before that or needs more than half a minute.
 * Disposing sends SIGTERM and waits.
 */
export async function startServer(options: ProgramOptions & { ready_path: string }): Promise<ServerProcess> {
  const start = performance.now();
  const child = launch(options);
  try {
    const url = await within(startTimeout_seconds, options, listeningUrl(child, options));
    await within(startTimeout_seconds, options, firstOk(new URL(options.ready_path, url)));
    const cold_start_seconds = (performance.now() - start) / 1000;
    return { pid: pidOf(child), url, cold_start_seconds, [Symbol.asyncDispose]: () => stop(child) };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

/** Runs a program and returns its standard output. Throws unless it exits with 0 in time. */
export async function runProgram(options: ProgramOptions, timeout_seconds: number): Promise<string> {
  const child = launch(options);
  try {
    const ended = Promise.all([text(child.stdout), once(child, "exit")]);
    const [output, [code, signal]] = await within(timeout_seconds, options, ended);
    if (code !== 0) throw new Error(`${options.args.join(" ")} ended with ${code ?? signal}`);
    return output;
  } finally {
    await stop(child);
  }
}

/** Runs the load generator. */
export async function runLoad(plan: LoadPlan): Promise<LoadReport> {
  const seconds = [plan.warm_up, plan.measured].reduce(
    (sum, extent) => sum + ("seconds" in extent ? extent.seconds : 60),
    0,
  );
  const program = join(import.meta.dirname, "load.ts");
  return JSON.parse(await runProgram({ args: [program], input: plan }, seconds + 20)) as LoadReport;
}

function launch({ args, env, input }: ProgramOptions): Child {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("POSTERN_"));
  const child = spawn(process.execPath, args, {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const kill = () => child.kill("SIGKILL");
  // The child must be killed before the other exit listeners run: one of them removes the folder, which fails
  // while a process still writes to it.
  process.prependOnceListener("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  // Writing to a child that has exited fails. The error is ignored, because the child's exit code is
  // reported.
  child.stdin.on("error", () => {});
  child.stdin.end(input === undefined ? "" : JSON.stringify(input));
  return child;
}

async function stop(child: Child): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill("SIGKILL"), stopTimeout_seconds * 1000);
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  await exit;
  clearTimeout(timer);
}

function listeningUrl(child: Child, { args }: ProgramOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const lines = createInterface(child.stdout);
  lines.on("line", (line) => {
    if (!line.includes('"msg":"listening"')) return;
    resolve((JSON.parse(line) as { url: string }).url);
    lines.close();
    // Unread lines would fill the pipe and block the server.
    child.stdout.resume();
  });
  child.once("error", reject);
  child.once("exit", (code, signal) =>
    reject(new Error(`${args.join(" ")} ended with ${code ?? signal} before it listened`)),
  );
  return promise;
}

async function firstOk(url: URL): Promise<void> {
  for (;;) {
    const response = await fetch(url);
    await response.body?.cancel();
    if (response.status === 200) return;
    await sleep(5);
  }
}

async function within<T>(seconds: number, { args }: ProgramOptions, work: Promise<T>): Promise<T> {
  const stopTimer = new AbortController();
  const late = sleep(seconds * 1000, undefined, { signal: stopTimer.signal }).then(() => {
    throw new Error(`${args.join(" ")} took longer than ${seconds} s`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    stopTimer.abort();
  }
}

function pidOf({ pid }: Child): number {
  if (pid === undefined) throw new Error("the process was not started");
  return pid;
}
