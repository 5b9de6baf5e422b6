import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The clock of a server of the kit: that of the machine, moved. `at` is the time in milliseconds since 1970
 * that it begins with.
 */
export function kitClock(at: number | undefined) {
  let ahead = 0;
  const earlier = new AsyncLocalStorage<number>();
  /** Throws if no date is left. */
  function move(by: number): void {
    if (Number.isNaN(new Date(Date.now() + ahead + by).getTime()))
      throw new RangeError("the clock would have no date: give seconds or a valid Date");
    ahead += by;
  }
  if (at !== undefined) move(at - Date.now());
  return {
    now: (): Date => new Date(Date.now() + ahead - (earlier.getStore() ?? 0)),
    /** Moves it by milliseconds, back where they are negative. Throws if no date is left. */
    move,
    /** Does work by a clock that is so many milliseconds behind; everything else uses the real one. */
    runEarlier: <R>(by: number, work: () => Promise<R>): Promise<R> => earlier.run(by, work),
  };
}

export type KitClock = ReturnType<typeof kitClock>;
