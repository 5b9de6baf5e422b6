/** Runs work whose database fails between two commits, once for each point at which that can happen. */
import assert from "node:assert/strict";
import { UnavailableError } from "../../src/errors.ts";
import type { Store } from "../../src/storage/store.ts";

/** Methods that only read. */
const reads = /^(find|list|count$|newId|enrolledMethods|secondFactorsOf|dialect|isCurrent|was[A-Z])/;
/** Methods that write in a transaction of the caller. */
const inTransaction = new Set([
  "endLink",
  "endOpenedSessions",
  "endSessionIn",
  "keepForRevocation",
  "markUnlinked",
]);

/** Returns a store whose database becomes unavailable after this number of commits. */
function cutAfter(store: Store, commits: number): Store {
  let left = commits;
  const work = Object.entries(store).map(([name, method]) => {
    if (typeof method !== "function" || reads.test(name) || inTransaction.has(name)) return [name, method];
    return [
      name,
      async (...input: unknown[]) => {
        const tx = input.at(-1);
        const isInside = typeof tx === "object" && tx !== null && "connection" in tx;
        if (!isInside && left-- <= 0) throw new UnavailableError("away", "the database is away", undefined);
        return (method as (...input: unknown[]) => unknown)(...input);
      },
    ];
  });
  return Object.fromEntries(work) as Store;
}

/**
 * Runs the work repeatedly, each time with a new fixture: with a database that becomes unavailable before the
 * first commit, after it, after the second one, and so on until the work completes. `look` checks the fixture
 * after each run.
 */
export async function cutEverywhere<W extends { readonly store: Store }>(
  fixture: () => Promise<W>,
  work: (fixture: W, store: Store) => Promise<unknown>,
  look: (fixture: W, commits: number) => Promise<void>,
): Promise<void> {
  for (let commits = 0; ; commits++) {
    assert.ok(commits < 30, "the work never ends");
    const it = await fixture();
    const outcome = await work(it, cutAfter(it.store, commits)).then(
      () => "done",
      (error: unknown) => {
        if (error instanceof UnavailableError) return "cut";
        throw error;
      },
    );
    await look(it, commits);
    if (outcome === "done") {
      assert.ok(commits > 0, "nothing was written");
      return;
    }
  }
}
