/**
 * Remembers that the database rejected statements for a lasting reason, such as a full disk, until it accepts
 * them again.
 */
import { UnavailableError } from "../../errors.ts";
import type { Connection, PreparedStatement } from "../database/driver.ts";
import { asUnavailable } from "./errors.ts";
import { onConnectionOf } from "./one_transaction.ts";
import type { PostgresPool } from "./pool.ts";

/** For example missing privileges, a full disk or an internal error. Other statements may still succeed. */
const lasting = /^(?:42501|53[12]00|54|58|XX)/;

export function standingRefusal(pool: PostgresPool) {
  let refused: readonly PreparedStatement[] | undefined;

  function note(error: unknown, statements: readonly PreparedStatement[]): void {
    const known = asUnavailable(error);
    if (known instanceof UnavailableError && lasting.test(known.code ?? "")) refused = statements;
  }

  async function tryAgain(statements: readonly PreparedStatement[]): Promise<void> {
    try {
      await onConnectionOf(pool, async (client) => {
        await client.query("BEGIN");
        for (const { sql, parameters } of statements) {
          await client.query({ text: sql, values: parameters as unknown[] });
        }
        await client.query("ROLLBACK");
      });
    } catch (error) {
      const known = asUnavailable(error);
      if (known instanceof UnavailableError) throw known;
      // The statements now fail for another reason, so the remembered cause has ended.
    }
    if (refused === statements) refused = undefined;
  }

  return {
    note,
    watching({ all, queryUnprepared, first, run }: Connection): Connection {
      const noted =
        <R>(ask: (sql: string, parameters: readonly unknown[]) => Promise<R>) =>
        (sql: string, parameters: readonly unknown[]): Promise<R> => {
          const answer = ask(sql, parameters);
          answer.catch((error) => note(error, [{ sql, parameters }]));
          return answer;
        };
      return {
        all: noted(all),
        queryUnprepared: noted(queryUnprepared),
        first: noted(first),
        run: noted(run),
      };
    },
    /** Throws an UnavailableError if the database still rejects the statements. */
    async prove(): Promise<void> {
      if (refused !== undefined) await tryAgain(refused);
    },
  };
}
