/** Waiting for the database at start: the port is open meanwhile, and says that the server is not ready. */
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { UnavailableError } from "../errors.ts";
import { createWaitingApp } from "../http/app.ts";
import type { Log } from "../ops/log.ts";

/** Milliseconds between two tries: the first pause, and the longest that it grows to. */
const firstPause = 250;
const longestPause = 1000;
/** Milliseconds between two lines of the log. */
const lineInterval = 10_000;

export interface Waiting {
  readonly config: Config;
  /** Where the server will listen. */
  readonly port: number;
  readonly log: Log;
  /** Ends the waiting: the server is to stop. */
  readonly signal: AbortSignal;
}

/**
 * Whether the database may be there later. One that refuses this server goes on refusing it, and no damage
 * heals.
 */
export function isPassing(error: unknown): error is UnavailableError {
  return error instanceof UnavailableError && error.fault !== "refused" && error.fault !== "damaged";
}

/** A pause with up to a quarter more or less, so that processes that wait together do not come together. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + 0.5 * Math.random());
}

/**
 * What `attempt` yields, as soon as the database lets it; until then the port answers 503, and 200 for
 * `/healthz`. `attempt` is given the way to close that door, to be called before it listens itself. Throws
 * what waiting cannot mend, and what stopped the waiting.
 */
export async function whenPossible<R>(
  attempt: (closeDoor: () => Promise<void>) => Promise<R>,
  { config, port, log, signal }: Waiting,
): Promise<R> {
  let door: ReturnType<typeof createWaitingApp> | undefined;
  let reason: UnavailableError | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  const closeDoor = async () => {
    const open = door;
    door = undefined;
    await open?.close();
  };

  async function openDoor(first: UnavailableError): Promise<void> {
    const secure = config.base_url?.startsWith("https:") ?? false;
    const app = createWaitingApp({ log, brand: config.brand, secure, reason: () => reason ?? first });
    await app.listen({ host: config.host, port });
    door = app;
  }

  try {
    for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
      try {
        return await attempt(closeDoor);
      } catch (error) {
        if (!isPassing(error)) throw error;
        reason = error;
        if (performance.now() - toldAt >= lineInterval) {
          toldAt = performance.now();
          log.warn({ fault: error.fault, reason: error.message }, "waiting for the database");
        }
        if (door === undefined) await openDoor(error);
      }
      await pause(jittered(wait), undefined, { signal });
    }
  } finally {
    await closeDoor();
  }
}
