import type { Row, TableName, User } from "../../records/definition/definition.ts";
import { carriesTokens } from "../../records/definition/token_carriers.ts";
import { type LockName, recordLock } from "../../records/names/lock_names.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "../access/actor.ts";
import { orConflict } from "../access/errors.ts";
import { guardRemoval } from "../guards/guards.ts";
import { notifyUser } from "./account_notices.ts";
import { type AdminEvent, logEvent } from "./audit.ts";
import { type Expected, loadRow, staleness, type Transaction, writeChange, writeEvent } from "./changes.ts";
import { endFallenInvitations, inviterIn } from "./inviters.ts";
import { shownOf } from "./record_view.ts";

interface RemovalOptions<T extends TableName> {
  readonly expected?: Expected<T> | undefined;
  readonly locks?: readonly LockName[];
  /** Runs before dependents are deleted in batches, so that a refusal comes before any of these deletions. */
  check?(tx: Transaction): Promise<unknown>;
  readonly more?: {
    isMany(): Promise<boolean>;
    remove(): Promise<unknown>;
  };
  /**
   * Deletes the row, and dependents that the database does not delete by itself. By default only the row is
   * deleted.
   */
  remove?(tx: Transaction, current: Row<T>): Promise<unknown>;
}

/** Deletes a row, by `remove` if given, and returns the audit event that it wrote. */
export async function writeRemoval<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  current: Row<T>,
  remove: (tx: Transaction, current: Row<T>) => Promise<unknown> = () =>
    tx.remove(table, { id: (current as { readonly id: string }).id } as never),
): Promise<AdminEvent> {
  // The event names the owner, and deleting the row may delete the record that determines the owner.
  const event = await writeEvent(tx, context, table, current, "deleted", {
    before: shownOf(table, current, Object.keys(current as object)),
  });
  await remove(tx, current);
  const inviter = inviterIn(table, current, undefined);
  if (inviter !== undefined) await endFallenInvitations(tx, context, inviter);
  return event;
}

/**
 * Time limit of each SQL statement, in milliseconds. Deleting a record with very many dependents takes long.
 */
const maxWait = 60_000;

/**
 * If a record has too many dependents for one transaction, deactivates it, deletes the dependents in batches
 * and returns true. After a crash, the record stays deactivated until it is deleted again.
 */
async function emptyFirst<T extends TableName>(
  context: AdminContext,
  actorPermissions: EffectivePermissions,
  table: T,
  id: string,
  { expected, locks = [], check, more }: RemovalOptions<T>,
): Promise<boolean> {
  const { store } = context;
  const hasMany = carriesTokens(table) && (await store.hasMany(table, id));
  if (!hasMany && !(await more?.isMany())) return false;
  const event = await orConflict(
    store.transaction(async (tx) => {
      await tx.lock(...locks, recordLock(table, id));
      const before = await loadRow(tx, table, id);
      expected?.(before);
      await guardRemoval(tx, actorPermissions, table, before);
      await check?.(tx);
      if (!(before as Pick<User, "active">).active) return undefined;
      const changes = { active: false } as unknown as Partial<Row<T>>;
      return (await writeChange(tx, context, table, before, changes, context.now())).event;
    }),
  );
  if (event !== undefined) logEvent(context, event);
  await more?.remove();
  if (carriesTokens(table)) await store.removeMany(table, id);
  return true;
}

/**
 * Deletes a record, with its audit event in the same transaction. Throws 404 `not_found`, 409 `conflict`, and
 * the errors of `expected` and `guardRemoval`.
 */
export async function deleteRecord<T extends TableName>(
  context: AdminContext,
  table: T,
  id: string,
  options: RemovalOptions<T> = {},
): Promise<void> {
  const { locks = [], remove } = options;
  const actorPermissions = await permissionsOfActor(context);
  const isEmptied = await emptyFirst(context, actorPermissions, table, id, options);
  const { event, before } = await orConflict(
    context.store.transaction(
      async (tx) => {
        await tx.lock(...locks, recordLock(table, id));
        const before = await loadRow(tx, table, id);
        const stale = staleness(options.expected, before);
        // `emptyFirst` already compared the row and then changed it, so it differs from what the caller saw.
        if (stale !== undefined && !isEmptied) throw stale;
        await guardRemoval(tx, actorPermissions, table, before);
        return { event: await writeRemoval(tx, context, table, before, remove), before };
      },
      { maxWait },
    ),
  );
  logEvent(context, event);
  notifyUser(context, table, { before });
}
