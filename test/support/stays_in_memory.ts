import type { Store } from "../../src/storage/store.ts";
import { aUser } from "./builders.ts";
import { until } from "./until.ts";

/**
 * Waits until `work` removes nothing from the store's cache. A notice of an earlier change, or a poll for the
 * changes of other processes, may empty the cache in between; `work` then runs again.
 */
export async function staysInMemory(store: Store, work: () => Promise<unknown>): Promise<void> {
  const { id } = await aUser(store);
  await until(async () => {
    const kept = await store.findUser(id);
    await work();
    return kept === (await store.findUser(id));
  }, "what is kept stays");
}
