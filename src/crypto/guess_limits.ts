/**
 * Limits on guessing client secrets, in the memory of this process. A guess costs a slow hash but no database
 * row, so guessing cannot fill the database with counters (docs/decisions/abuse-limits.md).
 */
import { hash } from "node:crypto";

const window = 15 * 60_000;

/**
 * Maximum guesses within a window: from one source (a network) at one client's secrets, and from one source
 * at the secrets of all clients.
 */
const limits = { pair: 10, source: 200 } as const;
/**
 * Maximum guesses from all sources at one client's secrets. After that, each source has one guess instead of
 * ten. A client with the correct secret needs only one guess, so other callers cannot lock it out.
 */
const ofClient = { limit: 100, pair: 1 } as const;

const mostCounters = 50_000;

interface Counter {
  count: number;
  until: number;
}

export interface Guess {
  /**
   * Clears the guesses from this source at this client's secrets, including this guess. Call this after
   * success.
   */
  forgive(): void;
  /** Removes the guess from its counters. Call this if the secret was never compared. */
  withdraw(): void;
}

export function guessLimits({ now }: { now: () => Date }) {
  const counters = new Map<string, Counter>();

  const keyOf = (...parts: string[]) => hash("sha256", JSON.stringify(parts), "base64url");

  function live(key: string, at: number): Counter | undefined {
    const counter = counters.get(key);
    if (counter !== undefined && counter.until > at) {
      // If the clock was ahead when the counter was created, the counter still ends at most one window from
      // now (docs/decisions/operations.md).
      counter.until = Math.min(counter.until, at + window);
      return counter;
    }
    counters.delete(key);
    return undefined;
  }

  function count(key: string, at: number): void {
    const counter = live(key, at) ?? { count: 0, until: at + window };
    counter.count += 1;
    counters.set(key, counter);
    for (const oldest of counters.keys()) {
      if (counters.size <= mostCounters) break;
      counters.delete(oldest);
    }
  }

  function uncount(keys: readonly string[], by = 1): void {
    for (const key of keys) {
      const counter = counters.get(key);
      if (counter !== undefined) counter.count = Math.max(0, counter.count - by);
    }
  }

  return {
    /**
     * Counts a guess before the slow hash, so parallel guesses cannot bypass the limit. If the limit is
     * reached, returns the seconds until the next guess is allowed.
     */
    guess(client_id: string, source: string): Guess | { readonly retry_after: number } {
      const at = now().getTime();
      const [pair, client, from] = [
        keyOf("pair", client_id, source),
        keyOf("client", client_id),
        keyOf("source", source),
      ];
      const guessedAt = (live(client, at)?.count ?? 0) >= ofClient.limit;
      const bounds: [string, number][] = [
        [pair, guessedAt ? ofClient.pair : limits.pair],
        [from, limits.source],
      ];
      for (const [key, limit] of bounds) {
        const counter = live(key, at);
        if (counter === undefined || counter.count < limit) continue;
        return { retry_after: Math.max(1, Math.ceil((counter.until - at) / 1000)) };
      }
      const keys = [pair, client, from];
      for (const key of keys) count(key, at);
      return {
        forgive() {
          uncount([client, from], counters.get(pair)?.count);
          counters.delete(pair);
        },
        withdraw: () => uncount(keys),
      };
    },
  };
}

export type GuessLimits = ReturnType<typeof guessLimits>;
