/**
 * Stores which records `postern apply` and imports created, because a later run may change or delete only
 * these. Also stores which record each name in a manifest means.
 */
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

/** `source` names an import, whose later runs recognize the record by `name`. Both are null for `postern apply`. */
export interface Applied {
  readonly source: string | null;
  readonly name: string | null;
}

/** A name in a manifest and the ID of the record that it means. */
export interface MeantName {
  readonly table: TableName;
  readonly name: string;
  readonly id: string;
}

export function manifestRows(database: Database, newId: (now: Date) => string) {
  /** Returns whether `postern apply` created the record. */
  async function isApplied(
    table_name: TableName,
    record_id: string,
    on: Pick<Verbs, "find"> = database,
  ): Promise<boolean> {
    return (await on.find("manifest_records", { table_name, record_id, source: null })) !== undefined;
  }

  /** Returns the ID of the record that the name meant in the last manifest with this name. */
  async function recordMeant(
    table_name: TableName,
    name: string,
    on: Pick<Verbs, "find"> = database,
  ): Promise<string | undefined> {
    return (await on.find("manifest_names", { table_name, name }))?.record_id;
  }

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
    isApplied,
    /** Returns whether `postern apply` created the record, and the name meant it in the last manifest. */
    async isAppliedAs({ table, id, name }: MeantName, on: Pick<Verbs, "find">): Promise<boolean> {
      return (await isApplied(table, id, on)) && (await recordMeant(table, name, on)) === id;
    },
    recordMeant,
    /** Remembers the record that a name means. Call it in a transaction that holds `manifestLock`. */
    async rememberName({ table: table_name, name, id: record_id }: MeantName, now: Date, on: Verbs) {
      if ((await on.find("manifest_names", { table_name, name })) !== undefined)
        await on.update("manifest_names", { table_name, name }, { record_id });
      else
        await on.insert("manifest_names", { id: newId(now), table_name, name, record_id, created_at: now });
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
