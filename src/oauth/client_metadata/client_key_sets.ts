/** Fetches and caches the key sets that clients publish at their `jwks_uri` (PR-37). */
import type { ClientKey } from "../../crypto/key_sets.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { documentCache } from "../../records/names/document_cache.ts";
import { fetchPublishedKeys } from "./published_keys.ts";

export interface ClientKeySets {
  /**
   * If a fetch fails, the last fetched keys are returned for up to a day, and then undefined. Never throws.
   */
  find(url: string, suffices: (keys: ClientKeys) => boolean): Promise<ClientKeys | undefined>;
}

type ClientKeys = readonly ClientKey[];

/**
 * Milliseconds for which fetched keys are used without another fetch, so a key that the client has removed
 * may still be accepted.
 */
const fresh = 5 * 60_000;

export function clientKeySets({
  outbound,
  now,
  most = 1000,
}: {
  readonly outbound: Outbound;
  readonly now: () => Date;
  readonly most?: number;
}): ClientKeySets {
  const sets = documentCache<ClientKeys>({ now, fresh, most });
  return {
    find: (url, suffices) =>
      sets.get(url, () => fetchPublishedKeys(url, outbound), suffices).catch(() => undefined),
  };
}
