/** Runs one transaction, from beginning to end, on a connection of the pool. */
import type pg from "pg";
import type { PreparedStatement } from "../database/driver.ts";
import { connectionTo } from "./connection.ts";
import { brokeConnection } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";

const [yes, no] = [() => true, () => false];

/** Checks out a connection for `work`. If `work` throws, unfinished work is rolled back. */
export async function onConnectionOf<R>(
  pool: PostgresPool,
  work: (client: pg.PoolClient) => Promise<R>,
): Promise<R> {
  const { client, giveBack } = await pool.lend();
  let result: R;
  try {
    result = await work(client);
  } catch (error) {
    // A connection is discarded if it broke or its transaction cannot be rolled back. On a dead one,
    // ROLLBACK would wait for a full timeout again.
    const unfit = brokeConnection(error) || (await client.query("ROLLBACK").then(no, yes));
    giveBack(error, unfit);
    throw error;
  }
  giveBack();
  return result;
}

/**
 * Sends everything that `work` issues before its first wait in one write. Each write is a system call here
 * and wakes the database's process there.
 */
export function inOnePiece<R>({ connection: { stream } }: pg.PoolClient, work: () => R): R {
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/** COMMIT rolls back a transaction in which a statement failed, without reporting an error. */
export function requireCommit({ command }: { command: string }): void {
  if (command !== "COMMIT") throw new Error("the transaction went on after a statement of it had failed");
}

/**
 * Runs everything from `begin` to `COMMIT` in one round trip, and returns how many rows each statement
 * changed. If several fail, the first failure contains the reason.
 */
export function statementsAtOnce(
  pool: PostgresPool,
  names: Map<string, string>,
  statements: readonly PreparedStatement[],
  begin: string,
): Promise<number[]> {
  return onConnectionOf(pool, async (client) => {
    const connection = connectionTo(client, names);
    const sent = inOnePiece(client, () => [
      client.query(begin).then(() => 0),
      ...statements.map(({ sql, parameters }) => connection.run(sql, parameters)),
      client.query("COMMIT").then((result) => {
        requireCommit(result);
        return 0;
      }),
    ]);
    const answers = await Promise.allSettled(sent);
    const failure = answers.find((answer) => answer.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    return answers.slice(1, -1).map((answer) => (answer.status === "fulfilled" ? answer.value : 0));
  });
}

/** The longest time that a timer can wait; 0 would mean the limit of the connection. */
const noLimit = 2 ** 31 - 1;
/**
 * Milliseconds that a response may take beyond its statement's limit, so the server cancels the statement
 * first.
 */
const recoveryLink = 2000;

/** PostgreSQL 17 also has a limit for the whole transaction, which only an operator sets. */
const wholeTransaction = `SELECT set_config(name, '0', true) FROM pg_catalog.pg_settings
  WHERE name = 'transaction_timeout'`;

/**
 * Returns how to begin a transaction whose statements may take `maxWait` milliseconds each; 0 means no
 * limit.
 */
export function limitsOf(maxWait: number, begin: string): { begin: string; query_timeout: number } {
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const set = [...names.map((name) => `SET LOCAL ${name} = ${maxWait}`), wholeTransaction];
  return {
    begin: [begin, ...set].join("; "),
    query_timeout: maxWait === 0 ? noLimit : Math.min(maxWait + recoveryLink, noLimit),
  };
}
