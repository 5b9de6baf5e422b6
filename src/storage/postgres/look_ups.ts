/** Looks up rows by key, many of them at once on one connection. */
import type { Connection } from "../database/driver.ts";
import { connectionTo, type PostgresError } from "./connection.ts";
import { brokeConnection } from "./errors.ts";
import type { PostgresPool } from "./pool.ts";

/** Maximum number of concurrent lookups on the reserved connection; further ones use the pool. */
const mostAtOnce = 32;

/** For a smaller pool, no connection is reserved. */
const smallestPool = 4;

interface Held {
  readonly connection: Connection;
  underWay: number;
  /** The connection returns to the pool when it is idle, or immediately if an error broke it. */
  readonly give: (error?: unknown) => void;
}

interface PostgresLookUps extends Pick<Connection, "first"> {
  close(): void;
}

/** invalid_sql_statement_name: the connection has not prepared this statement. */
const isUnprepared = (error: unknown) => (error as PostgresError).code === "26000";

/**
 * Runs concurrent lookups on one reserved connection. On several connections, each lookup would wake another
 * database process, which costs more than the lookup.
 */
export function postgresLookUps(pool: PostgresPool, names: Map<string, string>): PostgresLookUps {
  const pooled = connectionTo(pool, names);
  let held: Held | undefined;
  let connecting = false;
  let closed = false;

  async function hold(): Promise<void> {
    connecting = true;
    try {
      const { client, giveBack } = await pool.lend();
      if (closed || pool.size() < smallestPool) return giveBack();
      let returned = false;
      const mine: Held = {
        connection: connectionTo(client, names),
        underWay: 0,
        give(error) {
          if (held === mine) held = undefined;
          // Waits for pending responses, unless the connection broke.
          if (returned || (error === undefined && mine.underWay > 0)) return;
          returned = true;
          client.off("error", mine.give);
          giveBack(error);
        },
      };
      client.on("error", mine.give);
      held = mine;
    } catch {
      // The lookup itself gets the same error and reports it.
    } finally {
      connecting = false;
    }
  }

  pool.onShrink(() => held?.give());

  return {
    async first(sql, parameters) {
      if (held === undefined && !connecting && !closed && pool.size() >= smallestPool) hold();
      const mine = held;
      if (mine === undefined || mine.underWay >= mostAtOnce) return pooled.first(sql, parameters);
      mine.underWay += 1;
      try {
        return await mine.connection.first(sql, parameters);
      } catch (error) {
        // An earlier lookup should have prepared this statement but failed.
        if (isUnprepared(error)) return await pooled.first(sql, parameters);
        if (brokeConnection(error)) mine.give(error);
        throw error;
      } finally {
        mine.underWay -= 1;
        if (held !== mine) mine.give();
      }
    },
    close() {
      closed = true;
      held?.give();
    },
  };
}
