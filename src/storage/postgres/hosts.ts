/** The first reachable host with the role in `target_session_attrs` is used. */
import pg from "pg";
import { UnavailableError } from "../../errors.ts";
import { splitTls } from "./tls.ts";

/** Time limits in milliseconds; 0 means none. */
export interface DatabaseLimits {
  readonly statement_timeout: number;
  readonly lock_timeout: number;
  readonly idle_in_transaction_session_timeout: number;
  /**
   * A connection without a response for this time counts as dead. It must be greater than
   * `statement_timeout`.
   */
  readonly query_timeout: number;
  readonly connect_timeout: number;
}

/** The limits of commands, whose statements may take long. */
export const patientLimits: DatabaseLimits = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  query_timeout: 0,
  connect_timeout: 5000,
};

export type TargetSessionAttrs = "any" | "read-write" | "primary";

export interface PostgresAddress {
  readonly urls: readonly string[];
  readonly target: TargetSessionAttrs | "standby";
}

const urlLimits = [
  "statement_timeout",
  "lock_timeout",
  "idle_in_transaction_session_timeout",
  "query_timeout",
] as const;

/** Poolers such as PgBouncer reject limits in the URL as startup parameters. */
function splitLimits(url: string, limits: DatabaseLimits): { url: string; limits: DatabaseLimits } {
  if (!url.includes("_timeout=") && !url.includes("target_session_attrs=")) return { url, limits };
  const parsed = new URL(url);
  const found: Partial<Record<(typeof urlLimits)[number], number>> = {};
  for (const name of urlLimits) {
    const value = Number.parseInt(parsed.searchParams.get(name) ?? "", 10);
    if (value >= 0) found[name] = value;
    parsed.searchParams.delete(name);
  }
  parsed.searchParams.delete("target_session_attrs");
  return { url: parsed.href, limits: { ...limits, ...found } };
}

/**
 * Most queries read by key or in the order of a key. Without these settings, PostgreSQL might cache plans
 * that scan whole tables, or that sort all matches for one page. JIT compilation takes longer than it saves.
 */
const planning = "SET enable_seqscan = off; SET enable_bitmapscan = off; SET jit = off";

/**
 * After waiting for a lock, a transaction must see what others committed meanwhile. A stricter default
 * isolation level would show an older snapshot.
 */
const isolation = "SET default_transaction_isolation = 'read committed'";

/** Times are parsed in this format. */
const dates = "SET DateStyle = 'ISO'";

const roleQuery =
  "SELECT pg_is_in_recovery() AS in_recovery, current_setting('transaction_read_only') = 'on' AS read_only";

export interface SessionStart {
  readonly planning: string;
  readonly roleQuery: string;
}

const nativeSession: SessionStart = { planning: `${isolation}; ${planning}`, roleQuery };

export interface Role {
  readonly in_recovery: boolean;
  readonly read_only: boolean;
}

export function postgresHosts(
  { urls, target }: PostgresAddress,
  input: DatabaseLimits,
  session: SessionStart = nativeSession,
) {
  const split = urls.map((url) => {
    const tls = splitTls(url);
    return { ...tls, ...splitLimits(tls.url, input) };
  });
  const limits = split[0]?.limits ?? input;
  let current = 0;
  let readOnly = false;
  const settings = [
    `SET statement_timeout = ${limits.statement_timeout}`,
    `SET lock_timeout = ${limits.lock_timeout}`,
    `SET idle_in_transaction_session_timeout = ${limits.idle_in_transaction_session_timeout}`,
    dates,
    session.planning,
    session.roleQuery,
  ].join("; ");

  function require({ in_recovery, read_only }: Role): void {
    readOnly = in_recovery || read_only;
    if (target === "standby" && !in_recovery)
      throw new UnavailableError("refused", "the database server is not a standby", undefined);
    if (target === "primary" ? in_recovery : target === "read-write" && readOnly) {
      const what = in_recovery ? "is a standby" : "is read-only";
      throw new UnavailableError("read_only", `the database server ${what}`, { code: "25006" });
    }
  }

  return {
    limits,
    roleQuery: session.roleQuery,
    count: split.length,
    current: (): number => current,
    /** Does nothing if another caller has already left `tried`. */
    leave(tried: number): void {
      if (tried === current) current = (current + 1) % split.length;
    },
    options: (): pg.ClientConfig => {
      const { url = "", ssl } = split[current] ?? {};
      return {
        connectionString: url,
        connectionTimeoutMillis: limits.connect_timeout,
        keepAlive: true,
        keepAliveInitialDelayMillis: 5000,
        ...(ssl !== undefined && { ssl }),
        ...(limits.query_timeout > 0 && { query_timeout: limits.query_timeout }),
      };
    },
    /** Throws an UnavailableError if the host does not have the role in `target_session_attrs`. */
    async prepare(client: Pick<pg.ClientBase, "query">) {
      const answers = (await client.query(settings)) as unknown as pg.QueryResult[];
      require(answers.at(-1)?.rows[0] as Role);
    },
    require,
    readOnly: (): boolean => readOnly,
  };
}

export type PostgresHosts = ReturnType<typeof postgresHosts>;

/**
 * Returns a new, initialized connection to the first usable host. Throws the first error if no host is
 * usable.
 */
export async function connectTo(
  hosts: PostgresHosts,
  onError: (error: Error) => void,
  options: pg.ClientConfig = {},
): Promise<pg.Client> {
  let reason: unknown;
  for (let tries = 0; tries < hosts.count; tries++) {
    const tried = hosts.current();
    const client = new pg.Client({ ...hosts.options(), ...options });
    client.on("error", onError);
    try {
      await client.connect();
      await hosts.prepare(client);
      return client;
    } catch (error) {
      reason ??= error;
      client.end().catch(() => {});
      hosts.leave(tried);
    }
  }
  throw reason;
}
