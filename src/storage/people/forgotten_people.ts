/** Anonymizes the audit events of a deleted user. */
import { sql } from "kysely";
import type { Database, Transaction } from "../database/database.ts";
import { rowBatches } from "../database/row_batches.ts";

export function forgottenPeopleRules(database: Database) {
  const forgetting = [
    rowBatches(
      database,
      "audit_events",
      "actor_id",
      (fits) => sql`UPDATE audit_events SET client_ip = NULL, user_agent = NULL,
          details = CASE WHEN type = 'invitation.accepted' THEN NULL ELSE details END
        WHERE ${fits} AND actor_kind = 'user'`,
    ),
    rowBatches(
      database,
      "audit_events",
      "target_id",
      (fits) => sql`UPDATE audit_events SET details = NULL WHERE ${fits} AND target_table = 'users'`,
    ),
  ];
  return {
    async forgetPerson(id: string): Promise<void> {
      for (const { all } of forgetting) await all(id);
    },
    async forgetPersonSince(tx: Transaction, id: string, moment: Date): Promise<void> {
      for (const { since } of forgetting) await since(tx, id, moment);
    },
  };
}
