/**
 * Stores which records `postern apply` and imports created, because a later run may change or delete only
 * these.
 */
import type { TableName } from "../../records/definition/definition.ts";
import type { Database } from "../database/database.ts";
import type { Verbs } from "../database/verbs.ts";

/**
 * `source` names an import, whose later runs recognize the record by `name`. Both are null for `postern
 * apply`.
 */
export interface Applied {
  readonly source: string | null;
  readonly name: string | null;
}

export interface MeantName {
  readonly table: TableName;
  readonly name: string;
  readonly id: string;
  /**
   * Whether an entry of a manifest had this name, and not only a reference. Only then may entries change the
   * record (H-66).
   */
  readonly by_entry: boolean;
}

export function manifestRows(database: Database, newId: (now: Date) => string) {
  async function isApplied(
    table_name: TableName,
    record_id: string,
    on: Pick<Verbs, "find"> = database,
  ): Promise<boolean> {
    return (await on.find("manifest_records", { table_name, record_id, source: null })) !== undefined;
  }

  async function recordMeant(
    table_name: TableName,
    name: string,
    on: Pick<Verbs, "find"> = database,
  ): Promise<Pick<MeantName, "id" | "by_entry"> | undefined> {
    const found = await on.find("manifest_names", { table_name, name });
    return found && { id: found.record_id, by_entry: found.by_entry };
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
    async isAppliedAs(
      { table, id, name }: Omit<MeantName, "by_entry">,
      on: Pick<Verbs, "find">,
    ): Promise<boolean> {
      const meant = await recordMeant(table, name, on);
      return meant?.id === id && meant.by_entry && (await isApplied(table, id, on));
    },
    recordMeant,
    /**
     * A reference does not make the server forget that an entry had the name. Call it in a transaction that
     * holds `manifestLock`.
     */
    async rememberName({ table: table_name, name, id, by_entry }: MeantName, now: Date, on: Verbs) {
      const meant = await recordMeant(table_name, name, on);
      const values = { record_id: id, by_entry: by_entry || (meant?.id === id && meant.by_entry) };
      if (meant !== undefined) await on.update("manifest_names", { table_name, name }, values);
      else
        await on.insert("manifest_names", { id: newId(now), table_name, name, ...values, created_at: now });
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
