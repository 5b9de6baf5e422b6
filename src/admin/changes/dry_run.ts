import type { Transaction } from "../../storage/ports.ts";
import type { AdminContext } from "../access/actor.ts";
import { orConflict } from "../access/errors.ts";

class Undone extends Error {}

/**
 * Runs the work in one transaction and returns its result; a dry run is rolled back. Throws 409 `conflict` if
 * the work violates a unique or foreign key.
 */
export async function writeOrTry<R>(
  { store }: Pick<AdminContext, "store">,
  dry_run: boolean,
  work: (tx: Transaction) => Promise<R>,
): Promise<R> {
  const undone: { done?: R } = {};
  try {
    return await orConflict(
      store.transaction(async (tx) => {
        const done = await work(tx);
        if (!dry_run) return done;
        undone.done = done;
        throw new Undone("a dry run");
      }),
    );
  } catch (error) {
    if (error instanceof Undone && "done" in undone) return undone.done as R;
    throw error;
  }
}
