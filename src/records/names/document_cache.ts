/**
 * A cache for documents that other servers publish. They are fetched at first use, with a minimum time
 * between two attempts.
 */

/** Time limits in milliseconds. */
const times = {
  /** Maximum age of a cached document that is used because it could not be loaded again. */
  stale: 24 * 3_600_000,
  /** Minimum time between two attempts to load a document that is cached. */
  pause: 60_000,
  /** Minimum time between two attempts while no document is cached. */
  pause_without: 10_000,
} as const;

interface Entry<D> {
  document: D | undefined;
  fetched_at: number;
  tried_at: number;
  failure: unknown;
  underWay: Promise<void> | undefined;
}

interface DocumentCache<D> {
  /**
   * Returns the document at this URL, from the cache while it is fresh and `suffices` accepts it. Loads it
   * otherwise, if the pause since the last attempt is over. If it is not loaded, returns the cached one up to
   * the age `stale`, or throws the error of the last attempt.
   */
  get(url: string, load: () => Promise<D>, suffices?: (document: D) => boolean): Promise<D>;
}

/**
 * Creates a cache of at most `most` documents; the least recently used one is evicted. Concurrent calls for
 * one URL share a fetch.
 */
export function documentCache<D extends object>({
  now,
  fresh,
  most,
}: {
  readonly now: () => Date;
  /** How long a document is used before it is loaded again, in milliseconds. */
  readonly fresh: number;
  readonly most: number;
}): DocumentCache<D> {
  const entries = new Map<string, Entry<D>>();
  const never = Number.NEGATIVE_INFINITY;

  function entryOf(url: string): Entry<D> {
    const entry = entries.get(url) ?? {
      document: undefined,
      fetched_at: never,
      tried_at: never,
      failure: undefined,
      underWay: undefined,
    };
    keepNewest(entries, url, entry, most);
    return entry;
  }

  /** If the clock was set back, the document counts as no longer fresh and may be loaded at once. */
  function forgetTheFuture(entry: Entry<D>): void {
    const at = now().getTime();
    if (entry.fetched_at > at) entry.fetched_at = at - fresh;
    if (entry.tried_at > at) entry.tried_at = never;
  }

  async function loadInto(entry: Entry<D>, load: () => Promise<D>): Promise<void> {
    entry.tried_at = now().getTime();
    try {
      entry.document = await load();
      entry.fetched_at = now().getTime();
      entry.failure = undefined;
    } catch (error) {
      entry.failure = error;
    }
  }

  return {
    async get(url, load, suffices = () => true) {
      const entry = entryOf(url);
      forgetTheFuture(entry);
      const age = () => now().getTime() - entry.fetched_at;
      const { document } = entry;
      if (document !== undefined && age() < fresh && suffices(document)) return document;
      const pause = document === undefined ? times.pause_without : times.pause;
      if (entry.underWay === undefined && now().getTime() - entry.tried_at >= pause) {
        entry.underWay = loadInto(entry, load).finally(() => {
          entry.underWay = undefined;
        });
      }
      await entry.underWay;
      if (entry.document !== undefined && age() < times.stale) return entry.document;
      throw entry.failure ?? new Error(`nothing was fetched from ${URL.parse(url)?.host}`);
    },
  };
}

/** Stores the value as the newest of at most `most` entries; the oldest is evicted. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  const oldest = map.keys().next();
  if (map.size >= most && !oldest.done) map.delete(oldest.value);
  map.set(key, value);
}
