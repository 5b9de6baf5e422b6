/**
 * Finds ids that a new user may not get: tokens for the user would be about another record, or the user would
 * read the audit events of a deleted one as their own.
 */
import { sql } from "kysely";
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
  const taken = statement<{ id: string }>(
    dialect,
    "users",
    () => sql`SELECT given.id FROM (${dialect.idsOf(arg.json("ids"))}) AS given
      WHERE ${sql.join([...bySubject, ...byEvent], sql` OR `)}`,
  );
  return {
    /** Returns those of the ids that belong to a subject of tokens or occur in an audit event. */
    async takenIds(tx: Pick<Transaction, "connection">, ids: readonly string[]): Promise<string[]> {
      return (await taken.all(tx.connection, { ids })).map((row) => row.id);
    },
  };
}
