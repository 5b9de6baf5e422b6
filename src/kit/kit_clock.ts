import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Returns the clock of a kit server: the machine's clock, shifted. `at` is its initial time in milliseconds
 * since 1970.
 */
export function kitClock(at: number | undefined) {
  let ahead = 0;
  const earlier = new AsyncLocalStorage<number>();
  function move(by: number): void {
    if (Number.isNaN(new Date(Date.now() + ahead + by).getTime()))
      throw new RangeError("the clock needs a number of seconds or a valid Date");
    ahead += by;
  }
  if (at !== undefined) move(at - Date.now());
  return {
    now: (): Date => new Date(Date.now() + ahead - (earlier.getStore() ?? 0)),
    /** Shifts the clock by milliseconds, back if negative. */
    move,
    /** Runs work with a clock that is set back by `by` milliseconds. */
    runEarlier: <R>(by: number, work: () => Promise<R>): Promise<R> => earlier.run(by, work),
  };
}

export type KitClock = ReturnType<typeof kitClock>;
