/** A server starts without optimizing compilers, whose work on code that runs once is memory for good. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { nodeFlags } from "./node_flags.ts";

const optimizingCompilers = ["maglev", "turbofan"] as const;

/** Switched on without the memory for machine code, a compiler ends the process (`--jitless`). */
const isOperators = nodeFlags(process).some((flag) =>
  /^--(jitless|no-?opt|no-?maglev|no-?turbofan)$/.test(flag),
);

/** Leaves the compilers as they are where an operator said how they should be. */
function switchCompilers(prefix: "--no-" | "--"): void {
  if (isOperators) return;
  for (const compiler of optimizingCompilers) setFlagsFromString(prefix + compiler);
}

/**
 * Leaves the code of the start unoptimized: optimizing it costs 14 MB of memory that nothing gives back, and
 * more time than it saves. To be called before anything else is loaded.
 */
export function startUnoptimized(): void {
  switchCompilers("--no-");
}

/** Milliseconds of an event loop that does next to nothing, after which the start's memory is given back. */
const quiet = 500;

/** The part of the time that the event loop may be busy in a quiet moment. */
const mostUsed = 0.05;

/** Where there is load from the first moment, the collector frees the memory by itself. */
const tries = 20;

/**
 * Ends what `startUnoptimized` began, and gives back the memory that only the start needed: a fifth of the
 * process's memory, which the collector would keep until there is load. That takes up to a tenth of a second,
 * so it waits for a quiet moment.
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
  // Node exposes its collector only by a flag; setting it here spares every way of starting the server that
  // flag.
  setFlagsFromString("--expose-gc");
  const gc: unknown = runInNewContext("gc");
  if (typeof gc === "function") gc({ type: "major", flavor: "last-resort" });
}
