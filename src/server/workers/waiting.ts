/**
 * Waits for the database at startup. Meanwhile the port is open and reports that the server is not ready.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createWaitingApp } from "../../app.ts";
import type { Config } from "../../config.ts";
import { UnavailableError } from "../../errors.ts";
import type { OwnListener } from "../../http/serving/listener.ts";
import type { Log } from "../../ops/log.ts";

/** Maximum milliseconds for which the port stays closed while the database does not respond. */
export const longestClosed = 1000;
const firstPause = 250;
const longestPause = 1000;
const lineInterval = 10_000;

interface Waiting {
  readonly config: Config;
  readonly listener: OwnListener;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Returns whether the database may become available later. A refusal by the database and a damaged file are
 * permanent.
 */
export function isPassing(error: unknown): error is UnavailableError {
  return error instanceof UnavailableError && error.kind !== "refused" && error.kind !== "damaged";
}

/** Returns a pause with up to 25 % jitter, to spread concurrent processes. */
export function jittered(milliseconds: number): number {
  return milliseconds * (0.75 + 0.5 * Math.random());
}

/**
 * Returns the result of `attempt` as soon as the database is ready. From the first failure, or after a
 * second without a result, the port answers with 503, and with 200 for `/healthz`. Throws permanent errors,
 * and the reason of an aborted wait, after closing the port.
 */
export async function whenPossible<R>(
  attempt: () => Promise<R>,
  { config, listener, log, signal }: Waiting,
): Promise<R> {
  let reason = new UnavailableError("slow", "startup is still waiting for the database", undefined);
  let loggedAt = Number.NEGATIVE_INFINITY;

  let answering: Promise<void> | undefined;
  function answerMeanwhile(): Promise<void> {
    const secure = config.base_url?.startsWith("https:") ?? false;
    answering ??= listener.answerMeanwhile(
      createWaitingApp({ log, brand: config.brand, secure, reason: () => reason }),
    );
    return answering;
  }
  // An unavailable port is ignored here, because the attempt itself reports it.
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
