/** How a record is written: the row, what ends with it, and the audit event, in one transaction. */
import { isDeepStrictEqual } from "node:util";
import type { NewRow, Row, TableName, User } from "../records/definition.ts";
import type { Endable } from "../storage/endings.ts";
import type { Store } from "../storage/store.ts";
import type { AdminContext } from "./actor.ts";
import { recordEvent } from "./audit.ts";
import { nounOf, orConflict } from "./faults.ts";

export type Transaction = Parameters<Parameters<Store["transaction"]>[0]>[0];

interface RecordBase {
  readonly id: string;
}

function eventType(table: TableName, verb: string): string {
  return `${nounOf(table).toLowerCase().replaceAll(" ", "_")}.${verb}`;
}

/** Adds the row and its audit event. */
export async function writeNew<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  record: NewRow<T>,
): Promise<void> {
  await tx.insert(table, record);
  const target_id = (record as RecordBase).id;
  await recordEvent(context, { type: eventType(table, "created"), target_table: table, target_id }, tx);
}

/** Of these changes, the ones that change anything. */
export function differing<T extends TableName>(current: Row<T>, changes: Partial<Row<T>>): Partial<Row<T>> {
  const was = current as Readonly<Record<string, unknown>>;
  const entries = Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(was[name], value));
  return Object.fromEntries(entries) as Partial<Row<T>>;
}

/** What ends with a change; `finishEndings` marks it row by row once the change is committed. */
type Ending = "deactivated" | "revoked" | "password_changed";

function endingsOf(current: object, changes: object): Ending[] {
  const was = current as Partial<User> & { revoked_at?: Date | null };
  const is = changes as typeof was;
  const endings: Ending[] = [];
  if (was.active === true && is.active === false) endings.push("deactivated");
  if (is.revoked_at && "client_id" in current) endings.push("revoked");
  if (is.password_hash !== undefined) endings.push("password_changed");
  return endings;
}

const endable: readonly string[] = [
  "users",
  "organizations",
  "oauth_apps",
  "service_accounts",
] satisfies Endable[];

/**
 * Writes what differs, with its audit event. A record that is switched off or revoked, and a user whose password
 * changes, loses its tokens in the same commit (`tokens_not_before`, design 6.8 and 6.18), and the user their sessions
 * but `keep_session`. `finishEndings` is to be called after the commit.
 */
export async function writeChange<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
  at: Date,
  keep_session?: string,
): Promise<void> {
  const { id } = current as RecordBase;
  const endings = endable.includes(table) ? endingsOf(current, changes) : [];
  await tx.update(
    table,
    { id } as never,
    {
      ...changes,
      ...("updated_at" in (current as object) ? { updated_at: at } : {}),
      ...(endings.length > 0 ? { tokens_not_before: at } : {}),
    } as Partial<Row<T>>,
  );
  if (table === "users" && endings.length > 0) {
    for (const session of await tx.list("sessions", { user_id: id, ended_at: null })) {
      if (session.id !== keep_session) await tx.update("sessions", { id: session.id }, { ended_at: at });
    }
  }
  await recordEvent(
    context,
    {
      type: eventType(table, "updated"),
      target_table: table,
      target_id: id,
      details: { fields: Object.keys(changes) },
    },
    tx,
  );
}

/** Gives the token rows of what `writeChange` ended their reason; they are dead already. */
export async function finishEndings<T extends TableName>(
  { store }: Pick<AdminContext, "store">,
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
  at: Date,
  keep_session?: string,
): Promise<void> {
  if (!endable.includes(table)) return;
  const { id } = current as RecordBase;
  for (const ending of endingsOf(current, changes)) {
    if (ending === "deactivated") await store.deactivate(table as Endable, id, at);
    else if (ending === "revoked") await store.revokeApp(id, at);
    else await store.endEverythingOf(id, "password_changed", at, keep_session);
  }
}

/** Adds a record and answers it as it stands. Throws 409 `conflict`. */
export async function insertRecord<T extends TableName>(
  context: AdminContext,
  table: T,
  record: NewRow<T>,
): Promise<Row<T>> {
  await orConflict(context.store.transaction((tx) => writeNew(tx, context, table, record)));
  return standing(context, table, (record as RecordBase).id);
}

/** Changes a record where anything differs, and answers it as it stands. Throws 409 `conflict`. */
export async function changeRecord<T extends TableName>(
  context: AdminContext,
  table: T,
  current: Row<T>,
  asked: Partial<Row<T>>,
  keep_session?: string,
): Promise<Row<T>> {
  const changes = differing(current, asked);
  if (Object.keys(changes).length === 0) return current;
  const at = context.now();
  await orConflict(
    context.store.transaction((tx) => writeChange(tx, context, table, current, changes, at, keep_session)),
  );
  await finishEndings(context, table, current, changes, at, keep_session);
  return standing(context, table, (current as RecordBase).id);
}

/** Deletes a record and tells the audit. */
export async function deleteRecord<T extends TableName>(
  context: AdminContext,
  table: T,
  id: string,
  remove: () => Promise<unknown> = () => context.store.remove(table, { id } as never),
): Promise<void> {
  await remove();
  await recordEvent(context, { type: eventType(table, "deleted"), target_table: table, target_id: id });
}

async function standing<T extends TableName>(context: AdminContext, table: T, id: string): Promise<Row<T>> {
  const row = await context.store.find(table, { id } as never);
  if (row === undefined) throw new Error(`a ${nounOf(table)} was deleted while it was being written`);
  return row;
}
