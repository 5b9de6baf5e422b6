/** Runs one transaction, from beginning to end, on a connection of the pool. */
import type pg from "pg";
import type { Connection } from "../database/driver.ts";
import { connectionTo } from "./connection.ts";
import { brokeConnection } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";

const [yes, no] = [() => true, () => false];

export async function onConnectionOf<R>(
  pool: PostgresPool,
  work: (client: pg.PoolClient) => Promise<R>,
): Promise<R> {
  const { client, giveBack } = await pool.lend();
  let result: R;
  try {
    result = await work(client);
  } catch (error) {
    // A connection is discarded if it broke or its transaction cannot be rolled back. On a dead connection,
    // ROLLBACK would wait for a full timeout again.
    const unfit = brokeConnection(error) || (await client.query("ROLLBACK").then(no, yes));
    giveBack(error, unfit);
    throw error;
  }
  giveBack();
  return result;
}

/**
 * Sends everything that `work` issues before its first wait in one write. Each write is a system call of this
 * process and wakes the database's process.
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
  if (command !== "COMMIT")
    throw new Error("the transaction continued after one of its statements had failed");
}

/**
 * Runs everything that `work` sends, from `begin` to `COMMIT`, in one round trip. If several statements fail,
 * the first failure contains the reason.
 */
export function allAtOnce<R>(
  pool: PostgresPool,
  names: Map<string, string>,
  begin: string,
  work: (connection: Connection) => readonly Promise<R>[],
): Promise<R[]> {
  return onConnectionOf(pool, async (client) => {
    const [begun, working, committed] = inOnePiece(client, () => [
      client.query(begin),
      work(connectionTo(client, names)),
      client.query("COMMIT"),
    ]);
    const answers = await Promise.allSettled([begun, ...working, committed]);
    const failure = answers.find((answer) => answer.status === "rejected");
    if (failure !== undefined) throw failure.reason;
    requireCommit(await committed);
    return Promise.all(working);
  });
}

/** The longest time that a timer can wait; 0 would mean the limit of the connection. */
const noLimit = 2 ** 31 - 1;
/**
 * Milliseconds that a response may take beyond its statement's limit, so the server cancels the statement
 * first.
 */
const graceTime = 2000;

/**
 * Removes the limit for a whole transaction, which PostgreSQL has since version 17 and only an operator sets.
 */
const wholeTransaction = `SELECT set_config(name, '0', true) FROM pg_catalog.pg_settings
  WHERE name = 'transaction_timeout'`;

/**
 * Returns the SQL that begins a transaction whose statements may take `maxWait` milliseconds each (0 means no
 * limit), and the time limit for their responses.
 */
export function limitsOf(maxWait: number, begin: string): { begin: string; query_timeout: number } {
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const set = [...names.map((name) => `SET LOCAL ${name} = ${maxWait}`), wholeTransaction];
  return {
    begin: [begin, ...set].join("; "),
    query_timeout: maxWait === 0 ? noLimit : Math.min(maxWait + graceTime, noLimit),
  };
}
