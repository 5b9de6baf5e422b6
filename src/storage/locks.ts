import type { Dialect } from "./dialect.ts";
import type { PreparedStatement } from "./driver.ts";

/** `exclusive` keeps everybody else out, `shared` only those who want it alone. */
export type Lock = readonly [mode: "exclusive" | "shared", name: string];

/**
 * The statement that waits for these locks, one after the other, and holds them to the end of the
 * transaction. Undefined where there is nothing to wait for.
 */
export function lockStatement(dialect: Dialect, locks: readonly Lock[]): PreparedStatement | undefined {
  const calls = locks.map(([mode], index) => dialect.lock(mode, index + 1));
  if (calls.length === 0 || calls.includes(undefined)) return undefined;
  return { sql: `SELECT ${calls.join(", ")}`, parameters: locks.map(([, name]) => name) };
}
