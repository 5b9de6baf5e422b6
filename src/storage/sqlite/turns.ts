/**
 * Waiting for another process that writes to the file. SQLite's own wait would hold up everything else in
 * this process.
 */
import { setTimeout as pause } from "node:timers/promises";

/** How long one process waits for another that holds the file, in milliseconds. */
export const busyTimeout = 10_000;

/** Milliseconds that every caller may wait, even where the file has been held for longer than that. */
const leastTimeout = 500;

/** Milliseconds between two tries: the first pause, and the longest. A commit takes a few. */
const firstPause = 1;
const longestPause = 25;

/** https://www.sqlite.org/rescode.html#busy, in the lowest byte. */
export function isBusy(error: unknown): boolean {
  return (((error as { errcode?: number }).errcode ?? 0) & 0xff) === 5;
}

/**
 * A function that takes a step as soon as no other process holds the file, and throws SQLite's "busy" when
 * that lasts. The time counts from the first try that found the file held, so that the waits of callers in a
 * row do not add up.
 */
export function takingTurns(
  now: () => number = () => performance.now(),
): (step: () => void) => Promise<void> {
  let heldSince: number | undefined;
  return async (step) => {
    const from = now();
    for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
      try {
        step();
        heldSince = undefined;
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
        heldSince ??= from;
        if (now() > Math.max(heldSince + busyTimeout, from + leastTimeout)) throw error;
      }
      await pause(wait);
    }
  };
}
