/** What the server does beside answering: writes what was gathered, and lets expired rows go. */
import type { Log } from "../ops/log.ts";
import type { Store } from "../storage/store.ts";
import type { Retention } from "../storage/sweep.ts";

/** Milliseconds between two writes of gathered uses and events. */
const flushInterval = 1000;
/** Milliseconds between two small sweeps. */
const sweepInterval = 1000;
/** Milliseconds between two looks for signing keys that have left the key set. */
const keyInterval = 60_000;

/** Starts the background work; the returned function stops it and resolves when what was under way has ended. */
export function startBackground(
  store: Store,
  log: Log,
  now: () => Date,
  retention: Retention,
): () => Promise<void> {
  let stopped = false;
  const timers = new Set<NodeJS.Timeout>();
  const underWay = new Set<Promise<void>>();

  function repeat(what: string, interval: number, work: () => Promise<unknown>): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      const turn = work()
        .catch((err) => log.error({ err }, `${what} failed and will be tried again`))
        .then(() => {
          underWay.delete(turn);
          if (!stopped) repeat(what, interval, work);
        });
      underWay.add(turn);
    }, interval);
    timer.unref();
    timers.add(timer);
  }

  repeat("writing last uses and events", flushInterval, async () => {
    await store.flushUses();
    await store.flushEvents();
  });
  repeat("sweeping expired rows", sweepInterval, () => store.sweepSome(now(), { retention }));
  repeat("removing expired keys", keyInterval, () => store.removeExpiredSigningKeys(now()));

  return async () => {
    stopped = true;
    for (const timer of timers) clearTimeout(timer);
    await Promise.all(underWay);
  };
}
