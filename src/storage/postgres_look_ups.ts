/** Single rows by their key, many of them under way on one connection. */
import type pg from "pg";
import type { Connection } from "./driver.ts";
import { connectionTo } from "./postgres_connection.ts";

/** Past so many under way on the one connection, others of the pool help out. */
const mostAtOnce = 32;

/** A smaller pool has no connection to spare. */
const smallestPool = 4;

export interface PostgresLookUps extends Pick<Connection, "first"> {
  close(): void;
}

/**
 * Look-ups that come in the same moment travel together on one connection that is kept for them: spread over the pool,
 * each would wake a process of the database of its own, which costs more than finding the row.
 */
export function postgresLookUps(
  pool: pg.Pool,
  names: Map<string, string>,
  onError: (error: Error) => void,
): PostgresLookUps {
  const pooled = connectionTo(pool, names);
  let held: { readonly connection: Connection; readonly give: (error?: Error) => void } | undefined;
  let connecting = false;
  let closed = false;
  let underWay = 0;

  async function hold(): Promise<void> {
    connecting = true;
    try {
      const client = await pool.connect();
      const give = (error?: Error) => {
        client.off("error", broken);
        held = undefined;
        client.release(error);
      };
      const broken = (error: Error) => give(error);
      if (closed) return client.release();
      client.on("error", broken);
      held = { connection: connectionTo(client, names), give };
    } catch (error) {
      onError(error as Error);
    } finally {
      connecting = false;
    }
  }

  return {
    async first(sql, parameters) {
      if (held === undefined && !connecting && !closed && pool.options.max >= smallestPool) hold();
      if (held === undefined || underWay >= mostAtOnce) return pooled.first(sql, parameters);
      underWay += 1;
      try {
        return await held.connection.first(sql, parameters);
      } finally {
        underWay -= 1;
      }
    },
    close() {
      closed = true;
      held?.give();
    },
  };
}
