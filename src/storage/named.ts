/** The names of records, many at once, for pages that show the ids of others. */
import { sql } from "kysely";
import { isUuid } from "../records/check.ts";
import type { ColumnOf, TableName } from "../records/definition.ts";
import { nameColumnOf } from "../records/natural_key.ts";
import type { Owner } from "../records/ownership.ts";
import type { Database } from "./database.ts";
import { asking } from "./listing/branches.ts";
import { isOwnedBy } from "./ownership.ts";
import { statement, yes } from "./statement.ts";

/** The tables whose records have a `name`. */
export type NamedTable = { [T in TableName]: "name" extends ColumnOf<T> ? T : never }[TableName];

export interface Names {
  readonly name: string;
  /** By which people tell it from others of its name: e-mail, slug or `client_id` (`nameColumnOf`). */
  readonly unique_name: string;
}

interface NamedRow extends Names {
  readonly id: string;
}

export function namedRules(database: Database) {
  const { dialect } = database;
  return {
    /**
     * The names of these records by their ids, in lower case, in one look-up; those alone that belong to one
     * of the organizations or to the user of `visible`, and everybody's when it is absent.
     */
    async namesOf(
      table: NamedTable,
      ids: readonly string[],
      visible?: Owner,
    ): Promise<ReadonlyMap<string, Names>> {
      const known = [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];
      if (known.length === 0) return new Map();
      const among = sql.join(known.map((id) => sql`${dialect.encode("uuid", id)}`));
      const seen = visible === undefined ? yes : isOwnedBy(dialect, table, visible);
      const unique_name = sql.ref(`t.${nameColumnOf(table) ?? "id"}`);
      const query = sql<NamedRow>`SELECT t.id, t.name, ${unique_name} AS unique_name FROM ${sql.table(table)} t
        WHERE t.id IN (${among}) AND ${seen}`;
      const rows = await statement<NamedRow>(dialect, table, () => query).all(asking(database), {});
      return new Map(rows.map(({ id, ...names }) => [id, names]));
    },
  };
}
