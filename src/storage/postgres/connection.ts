/** Runs prepared statements on connections of `pg`, and translates their errors. */
import type pg from "pg";
import { ReferenceViolation, UniqueViolation } from "../../errors/violations.ts";
import type { Connection } from "../database/driver.ts";

/** foreign_key_violation and, for RESTRICT since PostgreSQL 18, restrict_violation. */
const referenceCodes = ["23503", "23001"];

export interface PostgresError {
  readonly code?: string;
  readonly table?: string;
  readonly constraint?: string;
  readonly file?: string;
}

function translated(error: unknown): unknown {
  const { code, table = "", constraint = "" } = error as PostgresError;
  if (code === "23505") {
    const columns = constraint.replace(`${table}_`, "").replace(/_key$/, "").replaceAll("__", ",");
    return new UniqueViolation(`${table}.${columns === "pkey" ? "id" : columns}`, error);
  }
  if (code !== undefined && referenceCodes.includes(code)) return new ReferenceViolation(error);
  return error;
}

/** `query_timeout` is in milliseconds and replaces the timeout of the connection. */
export type TimedQuery = pg.QueryConfig & { query_timeout?: number };

interface Queryable {
  query(config: TimedQuery): Promise<pg.QueryResult>;
}

/**
 * Returns a `Connection` on a pool or connection of `pg`. All connections share `names`, the names of
 * prepared statements.
 */
export function connectionTo(
  client: Queryable,
  names: Map<string, string>,
  query_timeout?: number,
): Connection {
  const limit = query_timeout === undefined ? undefined : { query_timeout };
  const send = async (text: string, values: readonly unknown[], named?: { name: string }) => {
    try {
      return await client.query({ ...named, text, values: values as unknown[], ...limit });
    } catch (error) {
      throw translated(error);
    }
  };
  const query = (text: string, values: readonly unknown[]) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    return send(text, values, { name });
  };
  return {
    queryUnprepared: async (sql, parameters) => (await send(sql, parameters)).rows,
    all: async (sql, parameters) => (await query(sql, parameters)).rows,
    first: async (sql, parameters) => (await query(sql, parameters)).rows[0],
    run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
  };
}
