/** What the plan of a list asks the database before it chooses its branches. */
import { sql } from "kysely";
import type { TableName } from "../../records/definition.ts";
import type { Owner } from "../../records/ownership.ts";
import type { Database } from "../database.ts";
import { isOwnedBy } from "../ownership.ts";
import { statement } from "../statement.ts";
import { asking, type Branch, equals } from "./branches.ts";

/** Up to so many rows are read all to be put in order. */
const fewRows = 1000;

/** What an index that is not in the order of ids finds; undefined when that is much. */
export async function countedBranch(
  database: Database,
  table: TableName,
  columns: Branch["columns"],
): Promise<Branch | undefined> {
  const { dialect } = database;
  const conditions = Object.entries(columns).map(([name, value]) => equals(dialect, table, name, value));
  const [row] = await statement<{ found: number }>(
    dialect,
    table,
    () => sql<{ found: number }>`SELECT count(*) AS found FROM (
      SELECT 1 FROM ${sql.table(table)} t WHERE ${sql.join(conditions, sql` AND `)} LIMIT ${fewRows + 1}) counted`,
  ).all(asking(database), {});
  return Number(row?.found) > fewRows ? undefined : { columns, few: true };
}

/** Whether somebody may read the newest row that an index finds by this column; one row is looked at. */
export async function newestIsTheirs(
  database: Database,
  table: TableName,
  name: string,
  value: unknown,
  owner: Owner,
): Promise<boolean> {
  const { dialect } = database;
  const [row] = await statement<{ theirs: number }>(
    dialect,
    table,
    () => sql<{
      theirs: number;
    }>`SELECT CASE WHEN ${isOwnedBy(dialect, table, owner)} THEN 1 ELSE 0 END AS theirs
      FROM (SELECT * FROM ${sql.table(table)} t WHERE ${equals(dialect, table, name, value)} ORDER BY t.id DESC LIMIT 1) t`,
  ).all(asking(database), {});
  return Number(row?.theirs) === 1;
}
