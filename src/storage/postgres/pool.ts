/** The connection pool. Connections that may be broken are discarded when they are returned. */
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { PostgresError } from "./connection.ts";
import { brokeConnection, fellSilent } from "./errors.ts";
import type { PostgresHosts } from "./hosts.ts";

/** too_many_connections: the server has no free connection. */
const tooMany = "53300";
const restAfterRefusal = 10_000;
const restAfterReadOnly = 1000;

interface LentConnection {
  readonly client: pg.PoolClient;
  /** Call it once, with the error of the work if any; `unfit` discards the connection. */
  giveBack(error?: unknown, unfit?: boolean): void;
}

export function postgresPool(hosts: PostgresHosts, size: number, onError: (error: Error) => void) {
  const shrinkListeners: (() => void)[] = [];
  const madeAt = new WeakMap<pg.ClientBase, number>();
  let trustedSince = 0;
  let leftReadOnlyAt = Number.NEGATIVE_INFINITY;
  let growing: NodeJS.Timeout | undefined;

  /** The pool replaces connections later, so each selects its host when it is created. */
  class HostClient extends pg.Client {
    constructor(options: pg.ClientConfig) {
      super({ ...options, ...hosts.options() });
    }
  }
  const pool = new pg.Pool({
    ...hosts.options(),
    Client: HostClient as unknown as new () => pg.ClientBase,
    max: size,
    idleTimeoutMillis: 60_000,
    pipeline: true,
    // A connection may break while it is used. The pool listens only to idle connections, and an unhandled
    // error event would end the process.
    onConnect: (client) => {
      client.on("error", onError);
      madeAt.set(client, performance.now());
      return hosts.prepare(client);
    },
  });
  pool.on("error", () => {});

  const shrunk = () => {
    for (const listener of shrinkListeners) listener();
  };

  function distrust(): void {
    trustedSince = performance.now();
    shrunk();
  }

  function learnFrom(error: unknown): void {
    if (fellSilent(error)) distrust();
    if ((error as PostgresError | undefined)?.code !== "25006") return;
    if (performance.now() - leftReadOnlyAt < restAfterReadOnly) return;
    leftReadOnlyAt = performance.now();
    hosts.leave(hosts.current());
    distrust();
  }

  function rest(): void {
    pool.options.max = Math.max(1, pool.totalCount);
    shrunk();
    growing ??= setTimeout(() => {
      growing = undefined;
      pool.options.max = size;
    }, restAfterRefusal).unref();
  }

  async function connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + hosts.limits.connect_timeout;
    for (let tries = 1; ; tries++) {
      const tried = hosts.current();
      try {
        return await pool.connect();
      } catch (error) {
        if ((error as PostgresError).code === tooMany) {
          rest();
          if (performance.now() >= deadline) throw error;
          if (pool.totalCount === 0) await pause(50 + 50 * Math.random());
          continue;
        }
        if (!brokeConnection(error) && (error as PostgresError).code !== "25006") throw error;
        // All connections of the pool are in use, so another host would not help.
        if ((error as Error).message === "timeout exceeded when trying to connect") throw error;
        hosts.leave(tried);
        if (tries >= hosts.count) throw error;
      }
    }
  }

  async function lend(): Promise<LentConnection> {
    for (;;) {
      const client = await connect();
      const isTrusted = () => (madeAt.get(client) ?? 0) >= trustedSince;
      const giveBack = (error?: unknown, unfit = false) => {
        if (error !== undefined) learnFrom(error);
        const isBroken = unfit || !isTrusted() || (error !== undefined && brokeConnection(error));
        // Destroys the socket, because closing a dead connection would wait for a response and block other
        // callers.
        if (isBroken) client.connection.stream.destroy();
        client.release(isBroken);
      };
      if (isTrusted()) return { client, giveBack };
      giveBack();
    }
  }

  return {
    lend,
    async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
      const { client, giveBack } = await lend();
      try {
        const result = await client.query(config);
        giveBack();
        return result;
      } catch (error) {
        giveBack(error);
        throw error;
      }
    },
    distrust,
    load: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      most: size,
      waiting: pool.waitingCount,
    }),
    size: (): number => pool.options.max,
    /** The listener is also called when all connections are being discarded. */
    onShrink(listener: () => void): void {
      shrinkListeners.push(listener);
    },
    async end() {
      clearTimeout(growing);
      await pool.end();
    },
  };
}

export type PostgresPool = ReturnType<typeof postgresPool>;
