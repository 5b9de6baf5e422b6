/**
 * Starts a server without optimizing compilers, because optimizing code that runs once would waste memory.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodeFlags } from "./node_flags.ts";

const optimizingCompilers = ["maglev", "turbofan"] as const;

/** With `--jitless` there is no memory for machine code, and enabling a compiler would end the process. */
const isOperators = nodeFlags(process).some((flag) =>
  /^--(jitless|no-?opt|no-?maglev|no-?turbofan)$/.test(flag),
);

function switchCompilers(prefix: "--no-" | "--"): void {
  if (isOperators) return;
  for (const compiler of optimizingCompilers) setFlagsFromString(prefix + compiler);
}

/**
 * Disables optimization during startup: it would use 14 MB of memory permanently, and more time than it
 * saves. Call this before anything else is loaded.
 */
export function startUnoptimized(): void {
  switchCompilers("--no-");
}

const quiet = 500;

/** The event loop counts as idle if it is busy for less than this share of the time. */
const mostUsed = 0.05;

/**
 * Maximum number of checks for an idle server. Under continuous load, the garbage collector releases the
 * memory anyway.
 */
const tries = 20;

/**
 * Reverts `startUnoptimized`, and releases the memory that only startup needed: a fifth of the process's
 * memory, which the collector would otherwise keep until there is load. This takes up to a tenth of a
 * second, so it waits until the server is idle.
 */
export function endOfStart(): void {
  switchCompilers("--");
  collectWhenQuiet(tries);
}

function collectWhenQuiet(left: number): void {
  if (left === 0) return;
  const before = performance.eventLoopUtilization();
  setTimeout(() => {
    if (performance.eventLoopUtilization(before).utilization < mostUsed) collect();
    else collectWhenQuiet(left - 1);
  }, quiet).unref();
}

function collect(): void {
  // Node.js exposes its collector only with a flag. Setting it here works however the server is started.
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc({ type: "major", flavor: "last-resort" });
}
