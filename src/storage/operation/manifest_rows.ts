/**
 * Records which records an earlier `postern apply` or import created. A later apply or import may prune or
 * recognize only these records.
 */
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

export interface Imported {
  readonly source: string;
  readonly name: string;
}

export function manifestRows(database: Database, newId: (now: Date) => string) {
  return {
    /** Records which manifest or import created this record; `on` is the transaction that creates it. */
    async markApplied(
      table_name: TableName,
      record_id: string,
      now: Date,
      on: Verbs = database,
      imported?: Imported,
    ) {
      if ((await on.find("manifest_records", { table_name, record_id })) !== undefined) return;
      const { source = null, name = null } = imported ?? {};
      const row = { table_name, record_id, source, name, created_at: now };
      await on.insert("manifest_records", { id: newId(now), ...row });
    },
    /**
     * Returns the id of the record that an import from the source created under this name, even if the
     * record has been deleted.
     */
    async importedRecord(table_name: TableName, imported: Imported): Promise<string | undefined> {
      return (await database.find("manifest_records", { table_name, ...imported }))?.record_id;
    },
    /** Returns the ids of this table's records that a manifest created, including deleted ones. */
    async appliedRecords(table_name: TableName, on: Verbs = database): Promise<string[]> {
      const rows = await on.list("manifest_records", { table_name, source: null });
      return rows.map(({ record_id }) => record_id);
    },
    /** Removes the entry of a record that was pruned or deleted. */
    async forgetApplied(table_name: TableName, record_id: string, on: Verbs = database) {
      await on.remove("manifest_records", { table_name, record_id });
    },
  };
}
