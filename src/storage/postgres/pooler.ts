/** Detects a connection pooler in transaction mode, which switches connections between transactions. */
import type pg from "pg";
import { UnavailableError } from "../../errors.ts";
import { poolerSentence } from "./errors.ts";
import { connectTo, type PostgresHosts } from "./hosts.ts";

/** A pooler may return the same connection by chance. */
const looks = 3;
/** In milliseconds. A pooler with a single connection would make the check wait. */
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

/** Throws an UnavailableError (`refused`) if the server process changes between two transactions. */
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
