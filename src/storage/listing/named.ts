/** Looks up the names of many records in one query. */
import { type RawBuilder, sql } from "kysely";
import type { ColumnOf, Row, TableName } from "../../records/definition/definition.ts";
import { nameColumnOf } from "../../records/definition/natural_key.ts";
import type { Owner } from "../../records/definition/ownership.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { Database } from "../database/database.ts";
import { isOwnedBy } from "../database/ownership.ts";
import { allColumns, statement, yes } from "../database/statement.ts";
import { readConnection } from "./branches.ts";

export type NamedTable = { [T in TableName]: "name" extends ColumnOf<T> ? T : never }[TableName];

export interface Names {
  readonly id: string;
  readonly name: string;
  /** For example the email or slug; in tables without such a column, the ID. */
  readonly unique_name: string;
}

const distinct = (ids: readonly string[]) => [...new Set(ids.filter(isUuid).map((id) => id.toLowerCase()))];

export function namedRules(database: Database) {
  const { dialect } = database;

  const seenBy = (table: TableName, visible: Owner | undefined) =>
    visible === undefined ? yes : isOwnedBy(dialect, table, visible);

  function among(table: TableName, ids: readonly string[], visible: Owner | undefined): RawBuilder<boolean> {
    const listed = sql.join(ids.map((id) => sql`${dialect.encode("uuid", id)}`));
    return sql`t.id IN (${listed}) AND ${seenBy(table, visible)}`;
  }

  return {
    /** The keys of the map are lower-case IDs. */
    async namesOf(
      table: NamedTable,
      ids: readonly string[],
      visible?: Owner,
    ): Promise<ReadonlyMap<string, Names>> {
      const known = distinct(ids);
      if (known.length === 0) return new Map();
      const unique_name = sql.ref(`t.${nameColumnOf(table) ?? "id"}`);
      const query = sql<Names>`SELECT t.id, t.name, ${unique_name} AS unique_name FROM ${sql.table(table)} t
        WHERE ${among(table, known, visible)}`;
      const rows = await statement<Names>(dialect, table, () => query).all(readConnection(database), {});
      return new Map(rows.map((names) => [names.id, names]));
    },

    async namesOfClients(
      client_ids: readonly string[],
      visible?: Owner,
    ): Promise<ReadonlyMap<string, Names>> {
      const known = sql.join([...new Set(client_ids)]);
      const query = sql<Names>`SELECT t.id, t.name, t.client_id AS unique_name FROM oauth_apps t
        WHERE t.client_id IN (${known}) AND ${seenBy("oauth_apps", visible)}`;
      const rows = await statement<Names>(dialect, "oauth_apps", () => query).all(
        readConnection(database),
        {},
      );
      return new Map(rows.map((names) => [names.unique_name, names]));
    },

    /** The records are in any order. */
    async rowsSeen<T extends TableName>(
      table: T,
      ids: readonly string[],
      visible?: Owner,
    ): Promise<Row<T>[]> {
      const known = distinct(ids);
      if (known.length === 0) return [];
      const query = sql<Row<T>>`SELECT ${allColumns(table, "t")} FROM ${sql.table(table)} t
        WHERE ${among(table, known, visible)}`;
      return statement<Row<T>>(dialect, table, () => query).all(readConnection(database), {});
    },
  };
}
