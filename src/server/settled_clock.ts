/** How long a clock that jumped ahead has to go on from there before it is believed, milliseconds. */
const believedAfter = 3_600_000;
/** By which the clock may run ahead of the steady one between two looks, milliseconds. */
const tolerance = 60_000;

/**
 * A clock for deletions, which nothing takes back: a jump ahead counts once it has lasted an hour. A clock
 * that is set right within the hour has deleted nothing that lives, and no mark of anything that was used
 * (docs/decisions/operations.md). Where the clock goes back it follows at once. `steady` answers milliseconds
 * that nobody sets.
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
