/**
 * Remembers the database's last refusal with a lasting cause, until the database accepts the same
 * statements again.
 */
import { UnavailableError } from "../../errors.ts";
import type { Connection, PreparedStatement } from "../database/driver.ts";
import { asUnavailable } from "./errors.ts";
import { onConnectionOf } from "./one_transaction.ts";
import type { PostgresPool } from "./pool.ts";

/**
 * The codes of refusals with a lasting cause: missing privileges, a full disk, no memory for locks, no
 * transaction IDs, a disk error, or an internal error. A database server with such a problem may still be the
 * primary and may still execute other statements.
 */
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
      // The cause of the refusal has ended, because the statements now fail for a different reason, such as a
      // row that was stored in the meantime.
    }
    if (refused === statements) refused = undefined;
  }

  return {
    note,
    watching({ all, first, run }: Connection): Connection {
      const noted =
        <R>(ask: (sql: string, parameters: readonly unknown[]) => Promise<R>) =>
        (sql: string, parameters: readonly unknown[]): Promise<R> => {
          const answer = ask(sql, parameters);
          answer.catch((error) => note(error, [{ sql, parameters }]));
          return answer;
        };
      return { all: noted(all), first: noted(first), run: noted(run) };
    },
    /** Rejects with `UnavailableError` while the last refusal persists. */
    async prove(): Promise<void> {
      if (refused !== undefined) await tryAgain(refused);
    },
  };
}
