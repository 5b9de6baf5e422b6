/** Which records an earlier `postern apply` made: only those may a later one prune. */
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

export function manifestRows(database: Database, newId: (now: Date) => string) {
  return {
    /** Remembers that the manifest made this record; `on` is the transaction that makes it. */
    async markApplied(table_name: TableName, record_id: string, now: Date, on: Verbs = database) {
      if ((await on.find("manifest_records", { table_name, record_id })) !== undefined) return;
      await on.insert("manifest_records", { id: newId(now), table_name, record_id, created_at: now });
    },
    /** The ids of the records of this table that the manifest made, including deleted ones. */
    async appliedRecords(table_name: TableName, on: Verbs = database): Promise<string[]> {
      const rows = await on.list("manifest_records", { table_name });
      return rows.map(({ record_id }) => record_id);
    },
    /** Forgets one, because it was pruned or deleted. */
    async forgetApplied(table_name: TableName, record_id: string, on: Verbs = database) {
      await on.remove("manifest_records", { table_name, record_id });
    },
  };
}
