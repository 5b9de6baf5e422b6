/** Key sets that clients publish at their `jwks_uri`: fetched for an assertion, and kept (PR-37). */
import type { ClientKey } from "../../crypto/key_sets.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { keepNewest } from "../../records/keep_newest.ts";
import { fetchPublishedKeys } from "./published_keys.ts";

export interface ClientKeySets {
  /**
   * The keys published at this address; undefined where none could be had. They are fetched again when they
   * are old, and at most once a minute when `suffices` misses one among them. Never throws.
   */
  find(url: string, suffices: (keys: readonly ClientKey[]) => boolean): Promise<ClientKeys | undefined>;
}

type ClientKeys = readonly ClientKey[];

/** Milliseconds. */
const times = {
  /** A set is believed for this long: a key that was taken out of it works no longer. */
  fresh: 5 * 60_000,
  /** A set whose address does not answer is still believed for this long. */
  stale: 24 * 3_600_000,
  /** Between two fetches while there is a set: a new key is seen within it. */
  pause: 60_000,
  /** Between two tries while there is none. */
  pause_without: 10_000,
} as const;

interface Entry {
  keys: ClientKeys | undefined;
  fetched_at: number;
  tried_at: number;
  underWay: Promise<void> | undefined;
}

/** Where the clock has gone back, a set is old, and may be fetched again. */
function forgetTheFuture(entry: Entry, now: number): void {
  if (entry.fetched_at > now) entry.fetched_at = now - times.fresh;
  if (entry.tried_at > now) entry.tried_at = Number.NEGATIVE_INFINITY;
}

/**
 * Key sets by their address, of which at most `most` are kept. Each has one fetch under way at a time, and
 * an address that fails is left alone for a while: strangers cause few requests.
 */
export function clientKeySets({
  outbound,
  now,
  most = 1000,
}: {
  readonly outbound: Outbound;
  readonly now: () => Date;
  readonly most?: number;
}): ClientKeySets {
  const entries = new Map<string, Entry>();

  /** The entry asked for last stands last, and the first makes room. */
  function entryOf(url: string): Entry {
    const never = Number.NEGATIVE_INFINITY;
    const entry = entries.get(url) ?? {
      keys: undefined,
      fetched_at: never,
      tried_at: never,
      underWay: undefined,
    };
    keepNewest(entries, url, entry, most);
    return entry;
  }

  async function fetchInto(entry: Entry, url: string): Promise<void> {
    entry.tried_at = now().getTime();
    // No answer, or one that is no key set: the refusal says so, whatever it was.
    const keys = await fetchPublishedKeys(url, outbound).catch(() => undefined);
    if (keys === undefined) return;
    entry.keys = keys;
    entry.fetched_at = now().getTime();
  }

  return {
    async find(url, suffices) {
      const entry = entryOf(url);
      forgetTheFuture(entry, now().getTime());
      const age = () => now().getTime() - entry.fetched_at;
      if (entry.keys !== undefined && age() < times.fresh && suffices(entry.keys)) return entry.keys;
      const pause = entry.keys === undefined ? times.pause_without : times.pause;
      if (entry.underWay === undefined && now().getTime() - entry.tried_at >= pause) {
        entry.underWay = fetchInto(entry, url).finally(() => {
          entry.underWay = undefined;
        });
      }
      await entry.underWay;
      return age() < times.stale ? entry.keys : undefined;
    },
  };
}
