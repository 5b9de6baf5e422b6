/** How long the place of a worker that ended stays empty. */
import { jittered } from "./waiting.ts";

/** Milliseconds before the place is taken: none the first time, then growing. */
const firstPause = 500;
const longestPause = 10_000;
/** Milliseconds after which a worker that listens has proved that it can. */
const proving = 10_000;

/** The pauses of one server: they grow until a worker has proved that it can work. */
export function restartPauses() {
  let failures = 0;
  return {
    /** Milliseconds to wait before another worker is forked. */
    next(): number {
      failures += 1;
      return failures === 1 ? 0 : jittered(Math.min(firstPause * 2 ** (failures - 2), longestPause));
    },
    /** Begins the proof of a worker that listens; the answer ends it: one that has ended proves nothing. */
    prove(): () => void {
      const timer = setTimeout(() => {
        failures = 0;
      }, proving).unref();
      return () => clearTimeout(timer);
    },
  };
}
