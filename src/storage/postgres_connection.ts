/** Statements on a connection of `pg`, prepared once by name, with the database's errors in the words of the driver. */
import type pg from "pg";
import { type Connection, ReferenceViolation, UniqueViolation } from "./driver.ts";

/** foreign_key_violation and, from PostgreSQL 18 on for RESTRICT, restrict_violation. */
const referenceCodes = ["23503", "23001"];

export interface PostgresError {
  readonly code?: string;
  readonly table?: string;
  readonly constraint?: string;
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

/** Something that answers queries: a pool, or one of its connections. */
export type Queryable = Pick<pg.ClientBase, "query">;

/** A `Connection` on any of them; `names` holds the name of each prepared statement, and is shared by all. */
export function connectionTo(client: Queryable, names: Map<string, string>): Connection {
  const query = async (text: string, values: readonly unknown[]) => {
    let name = names.get(text);
    if (name === undefined) {
      name = `s${names.size}`;
      names.set(text, name);
    }
    try {
      return await client.query({ name, text, values: values as unknown[] });
    } catch (error) {
      throw translated(error);
    }
  };
  return {
    all: async (sql, parameters) => (await query(sql, parameters)).rows,
    first: async (sql, parameters) => (await query(sql, parameters)).rows[0],
    run: async (sql, parameters) => (await query(sql, parameters)).rowCount ?? 0,
  };
}
