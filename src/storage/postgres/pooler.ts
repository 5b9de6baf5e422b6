/**
 * Detects whether PostgreSQL is accessed through a pooler that assigns a connection for one transaction
 * only.
 */
import type pg from "pg";
import { UnavailableError } from "../../errors.ts";
import { poolerSentence } from "./errors.ts";
import { connectTo, type PostgresHosts } from "./hosts.ts";

/** A pooler may assign the same connection twice by chance. */
const looks = 3;
/** In milliseconds. A pooler makes callers wait if its only connection is in use. */
const maxWait = 2000;

async function backendOf(client: pg.Client): Promise<number> {
  const timed: pg.QueryConfig & { query_timeout: number } = {
    text: "SELECT pg_backend_pid() AS pid",
    query_timeout: maxWait,
  };
  const { rows } = await client.query(timed);
  return Number(rows[0]?.pid);
}

async function keepsItsOwn(client: pg.Client, other: pg.Client): Promise<boolean> {
  const before = await backendOf(client);
  await other.query("BEGIN");
  try {
    const lent = await backendOf(other);
    return lent !== before && (await backendOf(client)) === before;
  } finally {
    await other.query("COMMIT").catch(() => {});
  }
}

/**
 * Throws `UnavailableError` (`refused`) if the server process of this connection changes from one transaction
 * to the next. Without a pooler this takes one round trip, because PostgreSQL reported its process id when
 * the connection was made.
 */
export async function refuseTransactionPooler(client: pg.Client, hosts: PostgresHosts): Promise<void> {
  const { processID } = client as pg.Client & { readonly processID: number | null };
  if ((await backendOf(client)) === processID) return;
  const other = await connectTo(hosts, () => {});
  try {
    for (let look = 0; look < looks; look++) {
      if (await keepsItsOwn(client, other)) continue;
      throw new UnavailableError("refused", poolerSentence, undefined);
    }
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    throw new UnavailableError("refused", poolerSentence, error);
  } finally {
    other.connection.stream.destroy();
  }
}
