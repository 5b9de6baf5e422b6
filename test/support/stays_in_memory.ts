import type { Store } from "../../src/storage/store.ts";
import { aUser } from "./builders.ts";
import { until } from "./until.ts";

/**
 * Waits until `work` empties none of what the store keeps in memory. A notice of an earlier change, or a look
 * at what others changed, may come in between and empty it: then `work` is done again.
 */
export async function staysInMemory(store: Store, work: () => Promise<unknown>): Promise<void> {
  const { id } = await aUser(store);
  await until(async () => {
    const kept = await store.findUser(id);
    await work();
    return kept === (await store.findUser(id));
  }, "what is kept stays");
}
