import { keepNewest } from "../records/names/kept_documents.ts";

/**
 * A bounded memory of rows. `generation` rises whenever anything may have changed; an answer that was read
 * before that is given to its caller but not kept.
 */
export interface Cache<V> {
  get(key: string, read: () => Promise<V | undefined>): Promise<V | undefined>;
  clear(): void;
}

/**
 * A cache of at most `max` entries that is believed only while `isCurrent` says that no change can have been
 * missed.
 */
export function boundedCache<V>(max: number, isCurrent: () => boolean): Cache<V> {
  const entries = new Map<string, V>();
  let generation = 0;
  return {
    async get(key, read) {
      if (!isCurrent()) return read();
      const found = entries.get(key);
      if (found !== undefined) return found;
      const before = generation;
      const value = await read();
      if (value !== undefined && generation === before) keepNewest(entries, key, value, max);
      return value;
    },
    clear() {
      generation++;
      entries.clear();
    },
  };
}
