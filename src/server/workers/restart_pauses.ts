/** Computes the pause before an ended worker is replaced. */
import { jittered } from "./waiting.ts";

/**
 * Milliseconds before a worker is replaced. The first replacement is immediate; later pauses increase up to
 * the second limit.
 */
const firstPause = 500;
const longestPause = 10_000;
/** Milliseconds after which a listening worker counts as healthy. */
const proving = 10_000;

/** Returns the pauses of one server, which grow until a worker is healthy. */
export function restartPauses() {
  let failures = 0;
  return {
    /** Returns the milliseconds to wait before another worker is forked. */
    next(): number {
      failures += 1;
      return failures === 1 ? 0 : jittered(Math.min(firstPause * 2 ** (failures - 2), longestPause));
    },
    /** Starts the health timer of a listening worker. Returns a function that cancels it when the worker ends. */
    prove(): () => void {
      const timer = setTimeout(() => {
        failures = 0;
      }, proving).unref();
      return () => clearTimeout(timer);
    },
  };
}
