import type { LockName } from "../../records/names/lock_names.ts";
import type { Dialect } from "./dialect.ts";
import type { PreparedStatement } from "./driver.ts";

/** A shared lock excludes only exclusive ones. */
export type Lock = LockName | { readonly shared: LockName };

const nameOf = (lock: Lock) => ("shared" in lock ? lock.shared : lock);

export function inOrder(locks: readonly Lock[]): Lock[] {
  return locks.toSorted((one, other) => {
    const [a, b] = [nameOf(one), nameOf(other)];
    return a.rank - b.rank || (a.text < b.text ? -1 : 1);
  });
}

/**
 * Returns the statement that acquires the locks until the end of the transaction; undefined if the database
 * needs no statement for them.
 */
export function lockStatement(dialect: Dialect, locks: readonly Lock[]): PreparedStatement | undefined {
  const ordered = inOrder(locks);
  const calls = ordered.map((lock, index) =>
    dialect.lock("shared" in lock ? "shared" : "exclusive", index + 1),
  );
  if (calls.length === 0 || calls.includes(undefined)) return undefined;
  return { sql: `SELECT ${calls.join(", ")}`, parameters: ordered.map((lock) => nameOf(lock).text) };
}

/** Returns a function that throws if a further lock ranks below one that the transaction already has. */
export function lockKeeper(): (locks: readonly Lock[]) => void {
  const held: LockName[] = [];
  return (locks) => {
    for (const name of inOrder(locks).map(nameOf)) {
      const above = held.find(({ rank }) => rank > name.rank);
      if (held.some(({ text }) => text === name.text)) continue;
      if (above !== undefined)
        throw new Error(`the lock "${name.text}" is to be taken before "${above.text}"`);
      held.push(name);
    }
  };
}
