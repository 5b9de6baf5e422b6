/**
 * Reads the state of a server's event loop, which a module preloaded into the server's process writes to a
 * file when it receives a signal.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** Values since the start of the process. */
export interface LoopClock {
  /** Time waiting for events and time not waiting (`perf_hooks`, eventLoopUtilization). */
  readonly idle_ms: number;
  readonly active_ms: number;
  /** Processor time of all threads, more precise than in /proc. */
  readonly cpu_seconds: number;
}

/**
 * The load generator reads the clock of a server by a signal to the process `pid`, which then writes the
 * clock to `file`.
 */
export interface ClockPlace {
  readonly pid: number;
  readonly file: string;
}

/** Returns the options of Node for a process that reports its clock. */
export function clockOptions(file: string): string[] {
  const preload = pathToFileURL(join(import.meta.dirname, "loop_clock_preload.js"));
  preload.searchParams.set("file", file);
  return ["--import", preload.href];
}

const patience_ms = 5000;

/** Returns undefined if the process does not respond within five seconds. */
export async function readLoopClock({ pid, file }: ClockPlace): Promise<LoopClock | undefined> {
  rmSync(file, { force: true });
  process.kill(pid, "SIGUSR2");
  const deadline = performance.now() + patience_ms;
  while (!existsSync(file)) {
    if (performance.now() > deadline) return undefined;
    await sleep(1);
  }
  return JSON.parse(readFileSync(file, "utf8")) as LoopClock;
}

/**
 * Returns the share of the time between the two readings (0 to 1) in which the event loop waited for events.
 */
export function idleShare(before: LoopClock, after: LoopClock): number {
  const idle = after.idle_ms - before.idle_ms;
  return idle / (idle + after.active_ms - before.active_ms);
}
