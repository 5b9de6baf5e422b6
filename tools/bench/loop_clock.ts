/** Reports the event loop of a server: a preload of its process, queried by a signal. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** Since the start of the process. */
export interface LoopClock {
  /** Waiting for events, and not (`perf_hooks`, eventLoopUtilization). */
  readonly idle_ms: number;
  readonly active_ms: number;
  /** Of all threads; finer than in /proc. */
  readonly cpu_seconds: number;
}

/** The requests of the load generator. */
export interface ClockPlace {
  readonly pid: number;
  readonly file: string;
}

/** Options of Node for a process that can be asked. */
export function clockOptions(file: string): string[] {
  const preload = pathToFileURL(join(import.meta.dirname, "loop_clock_preload.js"));
  preload.searchParams.set("file", file);
  return ["--import", preload.href];
}

const patience_ms = 5000;

/** Undefined where the process does not answer within five seconds. */
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

/** The share of the time between both (0 to 1) in which the event loop waited for events. */
export function idleShare(before: LoopClock, after: LoopClock): number {
  const idle = after.idle_ms - before.idle_ms;
  return idle / (idle + after.active_ms - before.active_ms);
}
