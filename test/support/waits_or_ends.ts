import type { Store } from "../../src/storage/store.ts";
import { until } from "./until.ts";

/**
 * Resolves when a transaction on PostgreSQL waits for another one, or when `work` completes without waiting.
 */
export async function waitsOrEnds(store: Store, work: Promise<unknown>): Promise<void> {
  const waiting = "datname = current_database() AND wait_event_type = 'Lock'";
  const waits = () =>
    store.transaction(async ({ connection }) => {
      const found = await connection.all(`SELECT 1 FROM pg_stat_activity WHERE ${waiting}`, []);
      return found.length > 0;
    });
  await Promise.race([work, until(waits, "the other one waits")]);
}
