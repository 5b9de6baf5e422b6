/**
 * Revocations that the database could not store. They are answered with 200, and take effect when the
 * database responds again, unless this process ends first.
 */
import { setTimeout as pause } from "node:timers/promises";
import { OAuthError, UnavailableError } from "../../errors.ts";

interface Unfinished {
  /**
   * Throws `UnavailableError` while the database is unavailable. The retries end after an `OAuthError`, or
   * after many errors that are neither of the two.
   */
  attempt(): Promise<void>;
  giveUp(error: unknown): void;
  readonly bytes: number;
}

type Outcome = "done" | "away" | "failed";

/** So many attempts take about a minute; those that fail because the database is unavailable do not count. */
const usualFailures = 30;
const mostWaiting = 10_000;
const mostBytes = 32 * 1024 * 1024;
/**
 * Maximum number of concurrent attempts. The number is low, because other requests need the recovering
 * database too.
 */
const atOnce = 8;
/** Milliseconds before the first retry. Each further pause is twice as long, up to `longestPause`. */
const firstPause = 200;
const longestPause = 2000;

/**
 * Creates an empty backlog. `most_failures` is the number of errors other than `UnavailableError` after
 * which a revocation is abandoned.
 */
export function revocationBacklog({ most_failures = usualFailures } = {}) {
  const failures = new WeakMap<Unfinished, number>();
  const queue: Unfinished[] = [];
  const underWay = new Set<Unfinished>();
  let bytes = 0;
  let running = false;
  let finishing = false;
  let wake = new AbortController();

  function giveUp(unfinished: Unfinished, error: unknown): void {
    bytes -= unfinished.bytes;
    unfinished.giveUp(error);
  }

  async function carryOut(unfinished: Unfinished): Promise<Outcome> {
    underWay.add(unfinished);
    try {
      await unfinished.attempt();
      bytes -= unfinished.bytes;
      return "done";
    } catch (error) {
      if (error instanceof UnavailableError) return "away";
      const count = (failures.get(unfinished) ?? 0) + 1;
      failures.set(unfinished, count);
      if (!(error instanceof OAuthError) && count < most_failures) return "failed";
      giveUp(unfinished, error);
      return "done";
    } finally {
      underWay.delete(unfinished);
    }
  }

  async function run(): Promise<void> {
    running = true;
    let wait = firstPause;
    while (queue.length > 0) {
      const batch = queue.splice(0, atOnce);
      const outcomes = await Promise.all(batch.map(carryOut));
      const those = (outcome: Outcome) => batch.filter((_, index) => outcomes[index] === outcome);
      queue.unshift(...those("away"));
      // Failed revocations are queued last, so they do not delay the others.
      queue.push(...those("failed"));
      if (outcomes.every((outcome) => outcome === "done")) wait = firstPause;
      else {
        await pause(wait, undefined, { ref: false, signal: wake.signal }).catch(() => {});
        wait = finishing ? firstPause : Math.min(wait * 2, longestPause);
      }
    }
    running = false;
  }

  const waiting = () => queue.length + underWay.size;

  return {
    waiting,
    add(unfinished: Unfinished): void {
      bytes += unfinished.bytes;
      if (finishing || waiting() >= mostWaiting || bytes > mostBytes) {
        giveUp(unfinished, new Error("too many revocations are waiting for the database"));
        return;
      }
      queue.push(unfinished);
      if (!running) run();
    },
    /** Retries for this many milliseconds, then abandons the rest. */
    async finish(milliseconds: number) {
      finishing = true;
      wake.abort();
      wake = new AbortController();
      const deadline = performance.now() + milliseconds;
      while (waiting() > 0 && performance.now() < deadline) await pause(20);
      const error = new Error("the server stopped before the revocation was written to the database");
      for (const unfinished of queue.splice(0)) giveUp(unfinished, error);
    },
  };
}

export type RevocationBacklog = ReturnType<typeof revocationBacklog>;
