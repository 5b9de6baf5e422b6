import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Entry {
  readonly payload: AdapterPayload;
  /** Milliseconds since 1970; Infinity if it does not expire. */
  readonly expires_at: number;
}

/**
 * Storage for `oidc-provider` in which every operation is one lookup in a Map; expired entries are removed
 * when they are read. The adapter of `oidc-provider` itself stores at most 1,000 entries, so it would lose
 * tokens that the benchmark uses.
 */
export function mapAdapter(now: () => number): AdapterFactory {
  const entries = new Map<string, Entry>();
  /** The keys of the entries that belong to a grant, by the grant's ID. */
  const grants = new Map<string, Set<string>>();

  function find(key: string): AdapterPayload | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry.expires_at > now()) return entry?.payload;
    entries.delete(key);
    return undefined;
  }

  return (model): Adapter => ({
    async upsert(id, payload, expiresIn) {
      const key = `${model}:${id}`;
      const expires_at = expiresIn ? now() + expiresIn * 1000 : Number.POSITIVE_INFINITY;
      entries.set(key, { payload, expires_at });
      if (payload.uid !== undefined) entries.set(`uid:${payload.uid}`, { payload, expires_at });
      if (payload.userCode !== undefined)
        entries.set(`userCode:${payload.userCode}`, { payload, expires_at });
      if (payload.grantId === undefined) return;
      const members = grants.get(payload.grantId) ?? new Set();
      grants.set(payload.grantId, members.add(key));
    },
    find: async (id) => find(`${model}:${id}`),
    findByUid: async (uid) => find(`uid:${uid}`),
    findByUserCode: async (userCode) => find(`userCode:${userCode}`),
    async consume(id) {
      const payload = find(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(now() / 1000);
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`);
    },
    async revokeByGrantId(grantId) {
      for (const key of grants.get(grantId) ?? []) entries.delete(key);
      grants.delete(grantId);
    },
  });
}
