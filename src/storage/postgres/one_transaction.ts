/** Runs a single transaction on a connection of the pool. */
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
    // On a dead connection, ROLLBACK would wait for another timeout.
    const unfit = brokeConnection(error) || (await client.query("ROLLBACK").then(no, yes));
    giveBack(error, unfit);
    throw error;
  }
  giveBack();
  return result;
}

/** Sends everything that `work` issues synchronously in one write, which saves system calls. */
export function inOnePiece<R>({ connection: { stream } }: pg.PoolClient, work: () => R): R {
  stream.cork();
  try {
    return work();
  } finally {
    stream.uncork();
  }
}

/**
 * Throws unless the transaction was committed. COMMIT silently rolls back a transaction in which a statement
 * failed.
 */
export function requireCommit({ command }: { command: string }): void {
  if (command !== "COMMIT")
    throw new Error("the transaction continued after one of its statements had failed");
}

/**
 * Runs `begin`, the statements of `work` and COMMIT in one round trip. If statements fail, throws the first
 * error.
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

/** The longest delay of a Node timer. A `query_timeout` of 0 would mean the connection's own limit. */
const noLimit = 2 ** 31 - 1;
/**
 * Milliseconds by which a response may exceed its statement's limit, so that the server cancels the statement
 * first.
 */
const graceTime = 2000;

/** An operator may have set PostgreSQL's time limit for whole transactions (since version 17). */
const wholeTransaction = `SELECT set_config(name, '0', true) FROM pg_catalog.pg_settings
  WHERE name = 'transaction_timeout'`;

/**
 * Returns the SQL that begins a transaction with the time limit `maxWait` per statement (0 for none), and the
 * limit for responses. Both limits are in milliseconds.
 */
export function limitsOf(maxWait: number, begin: string): { begin: string; query_timeout: number } {
  const names = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const set = [...names.map((name) => `SET LOCAL ${name} = ${maxWait}`), wholeTransaction];
  return {
    begin: [begin, ...set].join("; "),
    query_timeout: maxWait === 0 ? noLimit : Math.min(maxWait + graceTime, noLimit),
  };
}
