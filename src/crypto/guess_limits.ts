/**
 * Limits guesses of client secrets, in the memory of this process. With counters in the database, an attacker
 * could fill the database (docs/decisions/abuse-limits.md).
 */
import { hash } from "node:crypto";

const window = 15 * 60_000;

/**
 * Maximum guesses in 15 minutes from one network: for the secrets of one client (`pair`), and for those of
 * all clients (`source`).
 */
const limits = { pair: 10, source: 200 } as const;
/**
 * After `limit` guesses of one client's secrets from all networks, each network may make only `pair` guesses.
 * A client with a correct secret needs only one, so an attacker in another network cannot lock it out.
 */
const ofClient = { limit: 100, pair: 1 } as const;

const mostCounters = 50_000;

interface Counter {
  count: number;
  until: number;
}

export interface Guess {
  /** After a correct guess, forgets all guesses of this network for this client's secrets. */
  forgive(): void;
  /** Call this if the secret was not compared. */
  withdraw(): void;
}

export function guessLimits({ now }: { now: () => Date }) {
  const counters = new Map<string, Counter>();

  const keyOf = (...parts: string[]) => hash("sha256", JSON.stringify(parts), "base64url");

  function live(key: string, at: number): Counter | undefined {
    const counter = counters.get(key);
    if (counter !== undefined && counter.until > at) {
      // If the counter was created while the clock was ahead, it still ends within one window from now.
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
     * Counts a guess before the slow hash, so that parallel guesses cannot exceed the limit. `retry_after`:
     * seconds until the next guess is allowed.
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
