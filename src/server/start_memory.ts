/** Starts a server without optimizing compilers, whose results for code that runs once would waste memory. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodeFlags } from "./node_flags.ts";

const optimizingCompilers = ["maglev", "turbofan"] as const;

/** Enabling a compiler without memory for machine code (`--jitless`) would end the process. */
const isOperators = nodeFlags(process).some((flag) =>
  /^--(jitless|no-?opt|no-?maglev|no-?turbofan)$/.test(flag),
);

/** Leaves compilers unchanged that the operator has configured. */
function switchCompilers(prefix: "--no-" | "--"): void {
  if (isOperators) return;
  for (const compiler of optimizingCompilers) setFlagsFromString(prefix + compiler);
}

/**
 * Disables optimization during the start: it would use 14 MB of memory permanently, and more time than it saves. Call
 * it before anything else is loaded.
 */
export function startUnoptimized(): void {
  switchCompilers("--no-");
}

/** Milliseconds of an idle event loop after which the memory of the start is released. */
const quiet = 500;

/** The share of the time that an idle event loop may be busy. */
const mostUsed = 0.05;

/** Under continuous load, the garbage collector releases the memory anyway. */
const tries = 20;

/**
 * Reverts `startUnoptimized`, and releases the memory that only the start needed: a fifth of the process's memory,
 * which the collector would keep until there is load. This takes up to a tenth of a second, so it waits until the
 * server is idle.
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
  // Node exposes its collector only with a flag. Setting it here works for every way to start the server.
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc({ type: "major", flavor: "last-resort" });
}
