/** Milliseconds after which a forward jump of the clock is trusted. */
const believedAfter = 3_600_000;
/** Milliseconds by which the clock may run ahead of the monotonic one between two readings. */
const tolerance = 60_000;

/**
 * Returns a clock for deletions, which cannot be undone. A forward jump counts only after an hour. If the
 * clock is corrected within that hour, no active record and no used-once key was deleted
 * (docs/decisions/operations.md). A backward jump is followed immediately. `steady` returns the
 * milliseconds of a monotonic clock.
 */
export function settledClock(now: () => Date, steady: () => number = () => performance.now()): () => Date {
  let believed = now().getTime();
  let looked_at = steady();
  let ahead_since: number | undefined;
  return () => {
    const at = steady();
    const expected = believed + (at - looked_at);
    const current = now().getTime();
    looked_at = at;
    if (current - expected <= tolerance) ahead_since = undefined;
    else ahead_since ??= at;
    const isBelieved = ahead_since === undefined || at - ahead_since >= believedAfter;
    if (isBelieved) ahead_since = undefined;
    believed = isBelieved ? current : expected;
    return new Date(believed);
  };
}
