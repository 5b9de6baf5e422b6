/**
 * Stores which records `postern apply` and imports created, because a later run may change or delete only
 * these.
 */
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

/** How a later run recognizes a record. `source` names an import; it is null for `postern apply`. */
export interface Applied {
  readonly source: string | null;
  readonly name: string | null;
}

export function manifestRows(database: Database, newId: (now: Date) => string) {
  return {
    async markApplied(
      table_name: TableName,
      record_id: string,
      now: Date,
      on: Verbs = database,
      applied: Applied = { source: null, name: null },
    ) {
      if ((await on.find("manifest_records", { table_name, record_id })) !== undefined) return;
      const row = { table_name, record_id, ...applied, created_at: now };
      await on.insert("manifest_records", { id: newId(now), ...row });
    },
    async importedRecord(
      table_name: TableName,
      imported: { readonly source: string; readonly name: string },
    ): Promise<string | undefined> {
      return (await database.find("manifest_records", { table_name, ...imported }))?.record_id;
    },
    /**
     * Returns the IDs of the records to which `postern apply` last gave this name, even if users renamed them
     * since.
     */
    async appliedAs(table_name: TableName, name: string): Promise<string[]> {
      const rows = await database.list("manifest_records", { table_name, source: null, name });
      return rows.map(({ record_id }) => record_id);
    },
    /**
     * Returns whether `postern apply` created the record under this name or, for undefined, any name. Records
     * of earlier versions have no stored name and match any.
     */
    async isApplied(
      table_name: TableName,
      record_id: string,
      name: string | undefined,
      on: Pick<Verbs, "find"> = database,
    ): Promise<boolean> {
      const row = await on.find("manifest_records", { table_name, record_id, source: null });
      return row !== undefined && (row.name === null || name === undefined || row.name === name);
    },
    /** Stores the name that `postern apply` has given a record. */
    async renameApplied(table_name: TableName, record_id: string, name: string, on: Verbs) {
      await on.update("manifest_records", { table_name, record_id, source: null }, { name });
    },
    async appliedRecords(table_name: TableName, on: Verbs = database): Promise<string[]> {
      const rows = await on.list("manifest_records", { table_name, source: null });
      return rows.map(({ record_id }) => record_id);
    },
    async forgetApplied(table_name: TableName, record_id: string, on: Verbs = database) {
      await on.remove("manifest_records", { table_name, record_id });
    },
  };
}
