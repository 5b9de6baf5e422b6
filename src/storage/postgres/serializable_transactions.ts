/** Runs serializable transactions, which are repeated after a conflict. */
import type { Connection, PreparedStatement } from "../database/driver.ts";
import type { ChangeVersions } from "./change_versions.ts";
import { isConflict, repeatedly } from "./conflicts.ts";
import { connectionTo } from "./connection.ts";
import { allAtOnce, inOnePiece, limitsOf, onConnectionOf, requireCommit } from "./one_transaction.ts";
import type { PostgresPool } from "./pool.ts";

const begin = "BEGIN ISOLATION LEVEL SERIALIZABLE";

/** Remembers the error of a conflict, because `work` may have caught it. */
function remembering(connection: Connection): { connection: Connection; conflict: () => unknown } {
  let met: unknown;
  const noted = async <R>(answer: Promise<R>): Promise<R> => {
    try {
      return await answer;
    } catch (error) {
      if (isConflict(error)) met ??= error;
      throw error;
    }
  };
  return {
    connection: {
      all: (sql, parameters) => noted(connection.all(sql, parameters)),
      queryUnprepared: (sql, parameters) => noted(connection.queryUnprepared(sql, parameters)),
      first: (sql, parameters) => noted(connection.first(sql, parameters)),
      run: (sql, parameters) => noted(connection.run(sql, parameters)),
    },
    conflict: () => met,
  };
}

export function serializableTransactions(
  pool: PostgresPool,
  names: Map<string, string>,
  versions: Pick<ChangeVersions, "bump">,
) {
  /** `BEGIN` is sent with the first statement, so it costs no extra round trip. */
  async function attempt<R>(
    work: (connection: Connection) => Promise<R>,
    notice: () => boolean,
    maxWait: number | undefined,
  ): Promise<R> {
    let ended = (_committed: boolean) => {};
    const outcome = onConnectionOf(pool, async (client) => {
      const limits = maxWait === undefined ? undefined : limitsOf(maxWait, begin);
      const { connection, conflict } = remembering(connectionTo(client, names, limits?.query_timeout));
      try {
        const [begun, working] = inOnePiece(client, () => {
          const begun = client.query(limits?.begin ?? begin);
          begun.catch(() => {});
          return [begun, work(connection)];
        });
        const done = await working;
        await begun;
        if (notice()) ended = await versions.bump(connection);
        requireCommit(await client.query("COMMIT"));
        return done;
      } catch (error) {
        throw conflict() ?? error;
      }
    });
    return outcome.then(
      (value) => {
        ended(true);
        return value;
      },
      (error) => {
        ended(false);
        throw error;
      },
    );
  }

  const attemptAtOnce = (statements: readonly PreparedStatement[]): Promise<number[]> =>
    allAtOnce(pool, names, begin, ({ run }) => statements.map(({ sql, parameters }) => run(sql, parameters)));

  return {
    transaction: <R>(
      work: (connection: Connection) => Promise<R>,
      notice: () => boolean,
      maxWait?: number,
    ): Promise<R> => repeatedly(() => attempt(work, notice, maxWait)),
    runBatch: (statements: readonly PreparedStatement[]): Promise<number[]> =>
      repeatedly(() => attemptAtOnce(statements)),
  };
}
