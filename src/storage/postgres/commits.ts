/**
 * Runs transactions on PostgreSQL. A call of `runBatch` that is alone takes one round trip; concurrent calls
 * share a commit.
 */
import { batchQueue } from "../database/batch_queue.ts";
import type { Connection, PreparedStatement } from "../database/driver.ts";
import { connectionTo, type PostgresError } from "./connection.ts";
import { allAtOnce, inOnePiece, limitsOf, onConnectionOf, requireCommit } from "./one_transaction.ts";
import type { PostgresPool } from "./pool.ts";

/** deadlock_detected and serialization_failure: the transaction can be repeated. */
const retryable: ReadonlySet<string> = new Set(["40P01", "40001"]);
const attempts = 4;

/** Maximum concurrent batches: one waits for the disk while the next one is sent. */
const queues = 2;

interface Job {
  readonly statements: readonly PreparedStatement[];
  readonly resolve: (counts: number[]) => void;
  readonly reject: (reason: unknown) => void;
}

type Part = (connection: Connection) => Promise<() => void>;

const sending =
  (statements: readonly PreparedStatement[]) =>
  ({ run }: Connection): Promise<number>[] =>
    statements.map(({ sql, parameters }) => run(sql, parameters));

function partsOf(batch: readonly Job[]): Part[] {
  const lists = Map.groupBy(batch, ({ statements: [first, ...more] }) =>
    first?.row_id !== undefined && more.length === 0 ? first.sql : undefined,
  );
  return [...lists].flatMap(([sql, jobs]) => (sql === undefined ? jobs.map(partOf) : [listOf(sql, jobs)]));
}

function partOf({ statements, resolve }: Job): Part {
  return async (connection) => {
    const counts = await Promise.all(sending(statements)(connection));
    return () => resolve(counts);
  };
}

function listOf(sql: string, jobs: readonly Job[]): Part {
  const rows = jobs.map(({ statements: [first] }) => String(first?.parameters[0]).slice(1, -1));
  return async ({ all }) => {
    const stored = new Set((await all(sql, [`[${rows.join(",")}]`])).map(({ id }) => id));
    return () => {
      for (const { statements, resolve } of jobs) resolve([stored.has(statements[0]?.row_id) ? 1 : 0]);
    };
  };
}

async function retried<R>(attempt: () => Promise<R>): Promise<R> {
  for (let turn = 1; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      const code = (error as PostgresError).code ?? "";
      if (!retryable.has(code) || turn === attempts) throw error;
    }
  }
}

/** Broken connections do not count, because the commit may have succeeded. */
function wasRefused(error: unknown): boolean {
  const code = (error as PostgresError).code ?? ((error as Error).cause as PostgresError | undefined)?.code;
  // Codes 08… and EPIPE are broken connections, 57… a server that is shutting down, and 40003 an unknown
  // outcome.
  return code !== undefined && /^(?!08|57P|40003|E)[0-9A-Z]{5}$/.test(code);
}

export function postgresCommits(pool: PostgresPool, names: Map<string, string>) {
  /** `BEGIN` is sent together with the first statements, so it costs no extra round trip. */
  const attempt = <R>(
    work: (connection: Connection) => Promise<R>,
    notice: () => string | undefined,
    maxWait: number | undefined,
  ): Promise<R> =>
    onConnectionOf(pool, async (client) => {
      const limits = maxWait === undefined ? undefined : limitsOf(maxWait, "BEGIN");
      const [begun, working] = inOnePiece(client, () => {
        const begun = client.query(limits?.begin ?? "BEGIN");
        begun.catch(() => {});
        return [begun, work(connectionTo(client, names, limits?.query_timeout))];
      });
      const value = await working;
      await begun;
      const notify = notice();
      if (notify !== undefined) await client.query(notify);
      requireCommit(await client.query("COMMIT"));
      return value;
    });

  const all = connectionTo(pool, names);
  /** A single statement is a transaction of its own. */
  async function alone({ statements, resolve, reject }: Job): Promise<void> {
    const [only] = statements;
    const work =
      only !== undefined && statements.length === 1
        ? async () => [await all.run(only.sql, only.parameters)]
        : () => allAtOnce(pool, names, "BEGIN", sending(statements));
    await retried(work).then(resolve, reject);
  }

  /** If one job of a batch is rejected, the batch is rolled back and each job is repeated alone. */
  async function commit(batch: readonly Job[]): Promise<void> {
    const [first] = batch;
    if (first !== undefined && batch.length === 1) return alone(first);
    const parts = partsOf(batch);
    const [only] = parts;
    try {
      const stored =
        only !== undefined && parts.length === 1
          ? [await only(all)]
          : await allAtOnce(pool, names, "BEGIN", (connection) => parts.map((part) => part(connection)));
      for (const resolve of stored) resolve();
    } catch (error) {
      if (wasRefused(error)) await Promise.all(batch.map(alone));
      else for (const { reject } of batch) reject(error);
    }
  }

  const shared = batchQueue<Job>({ commit, queues });
  return {
    /** `maxWait` replaces the time limit of each statement (milliseconds, 0 for none). */
    transaction: <R>(
      work: (connection: Connection) => Promise<R>,
      notice: () => string | undefined,
      maxWait?: number,
    ): Promise<R> => retried(() => attempt(work, notice, maxWait)),
    runBatch: (statements: readonly PreparedStatement[]): Promise<number[]> =>
      new Promise((resolve, reject) => {
        shared.add({ statements, resolve, reject });
      }),
    expectJob: shared.expectJob,
    drained: shared.drained,
  };
}
