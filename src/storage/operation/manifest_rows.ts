/**
 * Stores which records an earlier `postern apply` or import created. A later run may prune or recognize only
 * these.
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
    async importedRecord(table_name: TableName, imported: Imported): Promise<string | undefined> {
      return (await database.find("manifest_records", { table_name, ...imported }))?.record_id;
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
