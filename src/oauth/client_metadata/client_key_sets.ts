/** Key sets that clients publish at their `jwks_uri`: fetched for an assertion, and kept (PR-37). */
import type { ClientKey } from "../../crypto/key_sets.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import { documentCache } from "../../records/names/document_cache.ts";
import { fetchPublishedKeys } from "./published_keys.ts";

export interface ClientKeySets {
  /**
   * The keys published at this address; undefined if none could be had. They are fetched again when they are
   * old, and at most once a minute when `suffices` misses one among them. Never throws.
   */
  find(url: string, suffices: (keys: ClientKeys) => boolean): Promise<ClientKeys | undefined>;
}

type ClientKeys = readonly ClientKey[];

/** Milliseconds for which a set is cached: after that a removed key no longer works. */
const fresh = 5 * 60_000;

/** Key sets by their address; at most `most` are kept. */
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
      sets
        .get(url, () => fetchPublishedKeys(url, outbound), suffices)
        // No answer, or one that is no key set: the refusal says so, whatever it was.
        .catch(() => undefined),
  };
}
