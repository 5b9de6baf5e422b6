import type { GuardedTransaction } from "./rules.ts";

/**
 * Returns reads that keep their results, so use it only while nothing changes. Many records belong to one
 * organization or API, and reading its records for each of them would take quadratic time.
 */
export function readingOnce(store: Omit<GuardedTransaction, "lock" | "once">): GuardedTransaction {
  const reads = new Map<string, Promise<unknown>>();
  function kept<R>(read: () => Promise<R>, ...of: unknown[]): Promise<R> {
    const key = JSON.stringify(of);
    const found = reads.get(key) ?? read();
    reads.set(key, found);
    return found as Promise<R>;
  }
  const computed = new WeakMap<object, Map<unknown, unknown>>();
  return {
    find: (table, where) => kept(() => store.find(table, where), "find", table, where),
    list: (table, where, options) => kept(() => store.list(table, where, options), table, where, options),
    listColumns: (table, columns, where, options) =>
      kept(() => store.listColumns(table, columns, where, options), table, columns, where, options),
    count: store.count,
    lock: async () => {},
    once(rows, make) {
      const values = computed.get(rows) ?? new Map<unknown, unknown>();
      computed.set(rows, values);
      if (!values.has(make)) values.set(make, make(rows));
      return values.get(make) as ReturnType<typeof make>;
    },
  };
}
