/**
 * Finds IDs that a new user or service account must not get. Otherwise tokens could name another record as
 * their subject, or a user could read audit events of a deleted user.
 */
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../../records/definition/definition.ts";
import { tokenSubjects } from "../../records/definition/token_subjects.ts";
import type { Database, Transaction } from "../database/database.ts";
import { arg, statement } from "../database/statement.ts";

export function takenIdRules({ dialect }: Database) {
  const id = sql.ref("given.id");
  const bySubject = tokenSubjects.map(
    (table) => sql<boolean>`EXISTS (SELECT 1 FROM ${sql.table(table)} AS s WHERE s.id = ${id})`,
  );
  const byEvent = ["actor_id", "target_id"].map(
    (column) =>
      sql<boolean>`EXISTS (SELECT 1 FROM audit_events AS e WHERE ${sql.ref(`e.${column}`)} = ${dialect.idText(id)})`,
  );
  const takenBy = (reasons: readonly RawBuilder<boolean>[]) =>
    statement<{ id: string }>(
      dialect,
      "users",
      () => sql`SELECT given.id FROM (${dialect.idsOf(arg.json("ids"))}) AS given
      WHERE ${sql.join(reasons, sql` OR `)}`,
    );
  const ofSubject = takenBy(bySubject);
  const ofUser = takenBy([...bySubject, ...byEvent]);
  return {
    /** For users, IDs that occur in audit events are taken too. */
    async takenIds(
      tx: Pick<Transaction, "connection">,
      table: TableName,
      ids: readonly string[],
    ): Promise<string[]> {
      const taken = table === "users" ? ofUser : ofSubject;
      return (await taken.all(tx.connection, { ids })).map((row) => row.id);
    },
  };
}
