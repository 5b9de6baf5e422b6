import type { Adapter, AdapterFactory, AdapterPayload } from "oidc-provider";

interface Entry {
  readonly payload: AdapterPayload;
  /** Milliseconds of the Unix time; Infinity where there is no end. */
  readonly expires_at: number;
}

/**
 * Storage for `oidc-provider` in which every operation is one look-up in a Map, the same for all models; an
 * expired entry is dropped when it is found. The adapter that it ships keeps at most 1,000 entries, so it
 * would forget tokens that the benchmark requests.
 */
export function mapAdapter(now: () => number): AdapterFactory {
  const entries = new Map<string, Entry>();
  /** Which entries belong to a grant, by the grant's id. */
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
