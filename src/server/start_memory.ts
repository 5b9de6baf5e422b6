import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodeFlags } from "./node_flags.ts";

const optimizingCompilers = ["maglev", "turbofan"] as const;

/** With `--jitless`, enabling a compiler would crash the process. */
const isOperators = nodeFlags(process).some((flag) =>
  /^--(jitless|no-?opt|no-?maglev|no-?turbofan)$/.test(flag),
);

function switchCompilers(prefix: "--no-" | "--"): void {
  if (isOperators) return;
  for (const compiler of optimizingCompilers) setFlagsFromString(prefix + compiler);
}

/**
 * Disables V8's optimizing compilers during startup, which saves 14 MB and time. Call this before loading
 * other modules.
 */
export function startUnoptimized(): void {
  switchCompilers("--no-");
}

/** Enables the optimizing compilers again. */
export function optimizeAgain(): void {
  switchCompilers("--");
}

const quiet = 500;

const mostUsed = 0.05;

/** Maximum number of waits for an idle server. Under continuous load, the garbage collector runs anyway. */
const tries = 20;

/**
 * Enables the optimizing compilers again and, once the server is idle, releases the memory that only startup
 * needed.
 */
export function endOfStart(): void {
  optimizeAgain();
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
  // Node.js exposes its garbage collector only with this flag, which can also be set at run time.
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc({ type: "major", flavor: "last-resort" });
}
