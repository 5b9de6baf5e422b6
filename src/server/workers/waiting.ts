/** Waiting for the database at start: the port is open meanwhile, and says that the server is not ready. */
import { setTimeout as pause } from "node:timers/promises";
import { createWaitingApp } from "../../app.ts";
import type { Config } from "../../config.ts";
import { UnavailableError } from "../../errors.ts";
import type { OwnListener } from "../../http/serving/listener.ts";
import type { Log } from "../../ops/log.ts";

/** Milliseconds for which the port may be closed while a database does not answer. */
export const longestClosed = 1000;
/** Milliseconds between two tries: the first pause, and the longest that it grows to. */
const firstPause = 250;
const longestPause = 1000;
/** Milliseconds between two lines of the log. */
const lineInterval = 10_000;

export interface Waiting {
  readonly config: Config;
  /** Where the server will answer. */
  readonly listener: OwnListener;
  readonly log: Log;
  /** Ends the waiting: the server is to stop. */
  readonly signal: AbortSignal;
}

/**
 * Whether the database may be there later. One that refuses this server goes on refusing it, and no damage
 * heals.
 */
export function isPassing(error: unknown): error is UnavailableError {
  return error instanceof UnavailableError && error.kind !== "refused" && error.kind !== "damaged";
}

/** A pause with up to a quarter more or less, so that processes that wait together do not come together. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + 0.5 * Math.random());
}

/**
 * The result of `attempt`, as soon as the database is ready. Until then the port answers 503, and 200 for
 * `/healthz`: from the first failure on, and after a second where an attempt has no result. Throws an error that waiting cannot mend, and the reason that stopped the waiting; nothing
 * listens then.
 */
export async function whenPossible<R>(
  attempt: () => Promise<R>,
  { config, listener, log, signal }: Waiting,
): Promise<R> {
  let reason = new UnavailableError("slow", "the start still waits for the database", undefined);
  let loggedAt = Number.NEGATIVE_INFINITY;

  let answering: Promise<void> | undefined;
  function answerMeanwhile(): Promise<void> {
    const secure = config.base_url?.startsWith("https:") ?? false;
    answering ??= listener.answerMeanwhile(
      createWaitingApp({ log, brand: config.brand, secure, reason: () => reason }),
    );
    return answering;
  }
  // A port that cannot be had is told by the attempt.
  const opening = setTimeout(() => answerMeanwhile().catch(() => {}), longestClosed);

  try {
    for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
      try {
        return await attempt();
      } catch (error) {
        if (!isPassing(error)) throw error;
        reason = error;
        await answerMeanwhile();
        if (performance.now() - loggedAt >= lineInterval) {
          loggedAt = performance.now();
          const about = { fault: error.kind, reason: error.message, port: await listener.port() };
          log.warn(about, "waiting for the database");
        }
      }
      await pause(jittered(wait), undefined, { signal });
    }
  } catch (error) {
    await listener.close();
    throw error;
  } finally {
    clearTimeout(opening);
  }
}
