/** Which records an earlier `postern apply` made: only those may a later one prune. */
import type { TableName } from "../records/definition.ts";
import type { Database } from "./database.ts";
import type { Verbs } from "./verbs.ts";

export interface ManifestRows {
  /** Remembers that the manifest made this record; `on` is the transaction that makes it. */
  noteApplied(table: TableName, record_id: string, now: Date, on?: Verbs): Promise<void>;
  /** The ids of the records of this table that the manifest made, those that are gone since included. */
  appliedRecords(table: TableName, on?: Verbs): Promise<string[]>;
  /** Forgets one, because it was pruned or is gone. */
  forgetApplied(table: TableName, record_id: string, on?: Verbs): Promise<void>;
}

export function manifestRows(database: Database, newId: (now: Date) => string): ManifestRows {
  return {
    async noteApplied(table_name, record_id, now, on = database) {
      if ((await on.find("manifest_records", { table_name, record_id })) !== undefined) return;
      await on.insert("manifest_records", { id: newId(now), table_name, record_id, created_at: now });
    },
    async appliedRecords(table_name, on = database) {
      const rows = await on.list("manifest_records", { table_name });
      return rows.map(({ record_id }) => record_id);
    },
    async forgetApplied(table_name, record_id, on = database) {
      await on.remove("manifest_records", { table_name, record_id });
    },
  };
}
