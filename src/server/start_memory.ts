/** A server starts without optimizing compilers, whose work on code that runs once is memory for good. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

const optimizingCompilers = ["maglev", "turbofan"] as const;

/**
 * Leaves the code of the start unoptimized: optimizing it costs 14 MB of memory that nothing gives back, and
 * more time than it saves. To be called before anything else is loaded.
 */
export function startUnoptimized(): void {
  for (const compiler of optimizingCompilers) setFlagsFromString(`--no-${compiler}`);
}

/**
 * Ends what `startUnoptimized` began, and gives back the memory that only the start needed: a fifth of the
 * process's memory, which the collector would keep until there is load. Takes less than a tenth of a second,
 * before the first request is served.
 */
export function endOfStart(): void {
  // Node exposes its collector only by a flag; setting it here spares every way of starting the server that
  // flag.
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect({ type: "major", flavor: "last-resort" });
  for (const compiler of optimizingCompilers) setFlagsFromString(`--${compiler}`);
}
