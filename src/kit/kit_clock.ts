import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The clock of a server of the kit: that of the machine, moved. `at` is the time in milliseconds since 1970
 * that it begins with.
 */
export function kitClock(at: number | undefined) {
  let ahead = at === undefined ? 0 : at - Date.now();
  const earlier = new AsyncLocalStorage<number>();
  return {
    now: (): Date => new Date(Date.now() + ahead - (earlier.getStore() ?? 0)),
    /** Moves it by milliseconds, back where they are negative. Throws where no date is left. */
    move(by: number): void {
      if (Number.isNaN(new Date(Date.now() + ahead + by).getTime()))
        throw new RangeError("the clock would have no date: give seconds or a valid Date");
      ahead += by;
    },
    /** Does work by a clock that is so many milliseconds behind; everything else goes by the right one. */
    runEarlier: <R>(by: number, work: () => Promise<R>): Promise<R> => earlier.run(by, work),
  };
}

export type KitClock = ReturnType<typeof kitClock>;
