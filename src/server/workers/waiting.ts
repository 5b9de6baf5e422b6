/**
 * Waits for the database at startup. Meanwhile the port is open, and responses say that the server is not
 * ready.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createWaitingApp } from "../../app.ts";
import type { Config } from "../../config.ts";
import { UnavailableError } from "../../errors.ts";
import type { OwnListener } from "../../http/serving/listener.ts";
import type { Log } from "../../ops/log.ts";

/** If the database does not respond, the port opens after this many milliseconds. */
export const longestClosed = 1000;
const firstPause = 250;
const longestPause = 1000;
const lineInterval = 10_000;
/** An attempt that runs this many milliseconds longer than the connection timeout must have connected. */
const connected = 1000;

interface Waiting {
  readonly config: Config;
  readonly listener: OwnListener;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Returns whether a later attempt to open the database may succeed. */
export function isPassing(error: unknown): error is UnavailableError {
  return error instanceof UnavailableError && error.kind !== "refused" && error.kind !== "damaged";
}

/** Returns the pause, changed at random by up to 25 %, so that processes do not retry at the same time. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + 0.5 * Math.random());
}

/**
 * Calls `attempt` until the database is available, and returns its result. Meanwhile the port answers with
 * 503, and `/healthz` with 200. Throws permanent errors and the signal's reason, after closing the port.
 */
export async function whenPossible<R>(
  attempt: () => Promise<R>,
  { config, listener, log, signal }: Waiting,
): Promise<R> {
  let reason: UnavailableError | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;

  let answering: Promise<void> | undefined;
  function answerMeanwhile(): Promise<void> {
    const secure = config.base_url?.startsWith("https:") ?? false;
    answering ??= listener.answerMeanwhile(
      createWaitingApp({ log, brand: config.brand, secure, reason: () => reason }),
    );
    return answering;
  }
  // An error of the port is ignored here, because `attempt` reports it.
  const opening = setTimeout(() => answerMeanwhile().catch(() => {}), longestClosed);
  // An attempt may hang without an error, for example because the signer does not respond.
  const telling = setInterval(() => {
    if (reason === undefined) log.warn({}, "startup is still in progress");
  }, lineInterval);

  try {
    for (let wait = firstPause; ; wait = Math.min(wait * 2, longestPause)) {
      // An attempt that reached the database may run long, for example because it migrates.
      const forgetting = setTimeout(() => {
        reason = undefined;
      }, config.database_limits.connect_timeout + connected);
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
      } finally {
        clearTimeout(forgetting);
      }
      await pause(jittered(wait), undefined, { signal });
    }
  } catch (error) {
    await listener.close();
    throw error;
  } finally {
    clearTimeout(opening);
    clearInterval(telling);
  }
}
