/** Runs one transaction on a connection of the pool, including its beginning and its end. */
import type pg from "pg";
import type { PreparedStatement } from "../database/driver.ts";
import { connectionTo } from "./connection.ts";
import { brokeConnection } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";

const [yes, no] = [() => true, () => false];

/** Checks out a connection for `work`; if `work` throws, unfinished work is rolled back. */
export async function onConnectionOf<R>(
  pool: PostgresPool,
  work: (client: pg.PoolClient) => Promise<R>,
): Promise<R> {
  const { client, giveBack } = await pool.lend();
  let result: R;
  try {
    result = await work(client);
  } catch (error) {
    // A connection that broke, or whose transaction cannot be rolled back, is not used again. A dead one
    // would take as long to answer ROLLBACK as it took before.
    const unfit = brokeConnection(error) || (await client.query("ROLLBACK").then(no, yes));
    giveBack(error, unfit);
    throw error;
  }
  giveBack();
  return result;
}

/**
 * Everything that `work` sends before its first wait leaves in one write. Each write is a system call here
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

/** A transaction in which a statement failed is rolled back by COMMIT, without an error. */
export function requireCommit({ command }: { command: string }): void {
  if (command !== "COMMIT") throw new Error("the transaction went on after a statement of it had failed");
}

/**
 * Runs everything from `begin` to `COMMIT` in one round trip; returns how many rows each statement changed.
 * The first failure contains the reason.
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

/** As long as a timer can wait; 0 would mean the limit of the connection. */
const noLimit = 2 ** 31 - 1;
/** Milliseconds that a response may take beyond its statement's limit, so the server gives up first. */
const recoveryLink = 2000;

/** PostgreSQL 17 has a limit for the whole transaction, too, which only an operator sets. */
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
