import { type Actor, permissionsOfActor } from "../../src/admin/access/actor.ts";
import { guardChange, guardNew, guardRemoval } from "../../src/admin/guards/guards.ts";
import type { NewRow, Row, TableName } from "../../src/records/definition.ts";
import { recordLock } from "../../src/records/lock_names.ts";
import type { Store } from "../../src/storage/store.ts";

/** The guards as a write calls them: inside a transaction, followed by the write itself. */
export function guarded(store: Store, actor: Actor) {
  const actorPermissions = () => permissionsOfActor({ store, actor });
  return {
    async add<T extends TableName>(table: T, row: Row<T>) {
      const held = await actorPermissions();
      await store.transaction((tx) => guardNew(tx, held, table, row as unknown as NewRow<T>));
    },
    async change<T extends TableName>(table: T, { id }: { id: string }, changes: Partial<Row<T>>) {
      const held = await actorPermissions();
      await store.transaction(async (tx) => {
        await tx.lock(recordLock(table, id));
        const current = (await tx.find(table, { id } as never)) as Row<T>;
        await guardChange(tx, held, table, current, changes);
        await tx.update(table, { id } as never, changes);
      });
    },
    async remove<T extends TableName>(table: T, { id }: { id: string }) {
      const held = await actorPermissions();
      await store.transaction(async (tx) => {
        await tx.lock(recordLock(table, id));
        await guardRemoval(tx, held, table, (await tx.find(table, { id } as never)) as Row<T>);
        await tx.remove(table, { id } as never);
      });
    },
  };
}
