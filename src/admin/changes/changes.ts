import { isDeepStrictEqual } from "node:util";
import { UniqueViolation } from "../../errors/violations.ts";
import { Problem } from "../../errors.ts";
import {
  fieldsOf,
  type NewRow,
  type Row,
  type TableName,
  type User,
} from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import { carriesTokens } from "../../records/definition/token_carriers.ts";
import { isSubject } from "../../records/definition/token_subjects.ts";
import { type EndableRecord, endsUpTo, madeAt } from "../../records/names/liveness.ts";
import { type LockName, recordLock } from "../../records/names/lock_names.ts";
import type { Transaction } from "../../storage/ports.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { kindOf, notFound, nounOf, orConflict } from "../access/errors.ts";
import { ownColumnsOfChange, ownColumnsOfNew } from "../access/own_columns.ts";
import { organizationIdOf } from "../access/owners.ts";
import { guardChange, guardNew } from "../guards/guards.ts";
import { notifyUser } from "./account_notices.ts";
import { type AdminEvent, logEvent, recordEvent, recordEvents } from "./audit.ts";
import { foreignPasswordIn } from "./foreign_password.ts";
import { warnOfPictures } from "./hidden_pictures.ts";
import { endFallenInvitations, inviterIn } from "./inviters.ts";
import { shownOf, withUnseenAttributes } from "./record_view.ts";
import { requireReferences } from "./references.ts";

export type { Transaction };

/**
 * Throws if the current row differs from the version that the caller has seen (If-Match). Runs inside the
 * transaction.
 */
export type Expected<T extends TableName = TableName> = (row: Row<T>) => void;

export interface CreatedRow<T extends TableName = TableName> {
  readonly row: Row<T>;
  readonly once?: Readonly<Record<string, string>>;
}

interface RecordBase {
  readonly id: string;
}

function eventType(table: TableName, verb: string): string {
  return `${kindOf(table)}.${verb}`;
}

interface WrittenRow<T extends TableName = TableName> {
  readonly row: Row<T>;
  readonly event: AdminEvent;
}

export async function writeNew<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  record: NewRow<T>,
): Promise<WrittenRow<T>> {
  const [added] = await writeAllNew(tx, context, table, [{ record }]);
  if (added === undefined) throw notWritten(table);
  return added;
}

/**
 * Adds the rows and one audit event for each. Throws a UniqueViolation if a row conflicts with a stored row
 * or its id is taken.
 */
export async function writeAllNew<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  news: readonly { readonly record: NewRow<T>; readonly details?: JsonObject }[],
  verb: string = "created",
): Promise<WrittenRow<T>[]> {
  if (isSubject(table)) await refuseTakenIds(tx, context, table, news);
  const whole: NewRow<T>[] = [];
  const foreign: Row<"foreign_passwords">[] = [];
  for (const { record } of news) {
    const its = foreignPasswordIn(context, table, record);
    const own = await ownColumnsOfNew(tx, context, table, record);
    whole.push({ ...record, ...own, ...its?.columns });
    if (its !== undefined) foreign.push({ ...its.row, user_id: (record as RecordBase).id });
  }
  const rows = new Map((await tx.insertAll(table, whole)).map((row) => [(row as RecordBase).id, row]));
  if (foreign.length > 0) await tx.insertAll("foreign_passwords", foreign);
  const added: WrittenRow<T>[] = [];
  for (const { record, details: more = {} } of news) {
    const row = written(table, rows.get((record as RecordBase).id));
    const columns = Object.entries(row as object)
      .filter(([, value]) => value !== null)
      .map(([name]) => name);
    const details = { after: shownOf(table, row, columns), ...more };
    added.push({ row, event: await eventOf(tx, table, row, verb, details) });
  }
  await recordEvents(
    context,
    added.map(({ event }) => event),
    tx,
  );
  return added;
}

async function refuseTakenIds(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  table: TableName,
  news: readonly { readonly record: object }[],
): Promise<void> {
  const ids = news.map(({ record }) => (record as RecordBase).id);
  const taken = await store.takenIds(tx, table, ids);
  if (taken.length > 0) throw new UniqueViolation(`${table}.id`, `taken: ${taken.join(", ")}`);
}

export function differing<T extends TableName>(current: Row<T>, changes: Partial<Row<T>>): Partial<Row<T>> {
  const was = current as Readonly<Record<string, unknown>>;
  const entries = Object.entries(changes).filter(([name, value]) => !isDeepStrictEqual(was[name], value));
  return Object.fromEntries(entries) as Partial<Row<T>>;
}

type Ending = "deactivated" | "revoked" | "password_changed";

function endingsOf(current: object, changes: object): Ending[] {
  const was = current as Partial<User> & { revoked_at?: Date | null };
  const is = changes as typeof was;
  const endings: Ending[] = [];
  if (was.active === true && is.active === false) endings.push("deactivated");
  if (is.revoked_at) endings.push("revoked");
  if (is.password_hash !== undefined) endings.push("password_changed");
  return endings;
}

interface Writing {
  readonly keep_session?: string | undefined;
  readonly verb?: string;
  readonly details?: JsonObject;
}

/**
 * Writes the changed columns and an audit event. Deactivating or revoking a record, reactivating it, or
 * changing a user's password also ends its tokens (`tokens_not_before`, design 6.8 and 6.18). Call
 * `finishEndings` after the commit.
 */
export async function writeChange<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
  at: Date,
  { keep_session, verb = "updated", details = {} }: Writing = {},
): Promise<WrittenRow<T>> {
  const { id } = current as RecordBase;
  const isEndable = carriesTokens(table);
  const endings = isEndable ? endingsOf(current, changes) : [];
  const revived =
    isEndable && (current as Partial<User>).active === false && (changes as Partial<User>).active;
  const tokens_not_before = endsUpTo(at, current as Partial<EndableRecord>);
  const foreign = foreignPasswordIn(context, table, changes);
  if (table === "users" && endings.length > 0 && keep_session !== undefined) {
    // Keeps the session in which users change their own password: it must be newer than `tokens_not_before`,
    // which ends all others.
    const kept = { id: keep_session, user_id: id, ended_at: null };
    await tx.update("sessions", kept, { authenticated_at: madeAt(at, [tokens_not_before]) });
  }
  const [changed] = await tx.change(
    table,
    { id } as never,
    {
      ...changes,
      ...(await ownColumnsOfChange(tx, context, table, current, changes, at)),
      ...("updated_at" in (current as object) ? { updated_at: at } : {}),
      ...(endings.length > 0 || revived ? { tokens_not_before } : {}),
      ...foreign?.columns,
    } as Partial<Row<T>>,
  );
  if (table === "users" && (changes as Partial<User>).password_hash !== undefined)
    await context.store.forgetForeignPassword(tx, (current as User).password_hash);
  if (foreign !== undefined) await tx.insert("foreign_passwords", { ...foreign.row, user_id: id });
  if (isEndable && endings.some((ending) => ending !== "password_changed"))
    await context.store.storeEnded(tx, table, id, at, tokens_not_before);
  if (table === "users" && endings.length > 0) await context.store.forgetBrowsers(tx, id);
  const inviter = inviterIn(table, current, changes);
  if (inviter !== undefined) await endFallenInvitations(tx, context, inviter);
  const row = written(table, changed);
  const columns = Object.keys(changes);
  const secret = columns.filter((name) => fieldsOf(table)[name]?.sensitive === true);
  const event = await writeEvent(tx, context, table, row, verb, {
    before: shownOf(table, current, columns, row),
    after: shownOf(table, row, columns, current),
    ...(secret.length === 0 ? {} : { also_changed: secret }),
    ...details,
  });
  return { row, event };
}

export async function writeEvent<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  table: T,
  row: Row<T>,
  verb: string,
  details: JsonObject,
): Promise<AdminEvent> {
  const event = await eventOf(tx, table, row, verb, details);
  await recordEvent(context, event, tx);
  return event;
}

async function eventOf<T extends TableName>(
  tx: Transaction,
  table: T,
  row: Row<T>,
  verb: string,
  details: JsonObject,
): Promise<AdminEvent> {
  return {
    type: eventType(table, verb),
    target_table: table,
    target_id: (row as RecordBase).id,
    organization_id: await organizationIdOf(tx, table, row as object),
    details,
  };
}

/**
 * Ends the sessions of a user who was deactivated or got a new password, except `keep_session` after a new
 * password. Stores in token rows why the tokens ended. The tokens have been invalid since the commit of
 * `writeChange`.
 */
export async function finishEndings<T extends TableName>(
  { store }: Pick<AdminContext, "store">,
  table: T,
  current: Row<T>,
  changes: Partial<Row<T>>,
  at: Date,
  keep_session?: string,
): Promise<void> {
  if (!carriesTokens(table)) return;
  const { id } = current as RecordBase;
  for (const ending of endingsOf(current, changes)) {
    if (ending === "password_changed") {
      await store.endEverythingOf(id, "password_changed", at, keep_session);
      continue;
    }
    if (table === "users") await store.endSessionsOf(id, at);
    await store.markSomeTokens(id);
  }
}

/** Writes additional rows in the same transaction, and passes the audit events of these rows to `note`. */
export type AlsoWrite = (tx: Transaction, note: (event: AdminEvent) => void) => Promise<unknown>;

/**
 * Adds a record and returns the stored row. Throws the errors of `guardNew`, 409 `conflict`, and 422
 * `invalid_record` for missing references.
 */
export async function insertRecord<T extends TableName>(
  context: AdminContext,
  table: T,
  record: NewRow<T>,
  also?: AlsoWrite,
  locks: readonly LockName[] = [],
): Promise<Row<T>> {
  const actorPermissions = await permissionsOfActor(context);
  const { row, events } = await orConflict(
    context.store.transaction(async (tx) => {
      await tx.lock(...locks);
      await guardNew(tx, actorPermissions, table, record);
      if (!actorPermissions.platform) await requireReferences(tx, table, record);
      const { row, event } = await writeNew(tx, context, table, record);
      const events = [event];
      await also?.(tx, (each) => events.push(each));
      return { row, events };
    }),
  );
  for (const event of events) logEvent(context, event);
  notifyUser(context, table, { after: row });
  if (context.warn) warnOfPictures(context, table, { after: row });
  return row;
}

interface ChangeOptions<T extends TableName> {
  readonly expected?: Expected<T> | undefined;
  readonly keep_session?: string | undefined;
  /** The past-tense action in the type of the audit event; `updated` if absent. */
  readonly verb?: string;
  readonly details?: JsonObject;
  readonly locks?: readonly LockName[];
  also?(
    tx: Transaction,
    current: Row<T>,
    changes: Partial<Row<T>>,
    at: Date,
    note: (event: AdminEvent) => void,
  ): Promise<unknown>;
}

/**
 * Changes a record and returns the stored row. `draft` computes the changes from the current row, under the
 * record's lock. Throws 404 `not_found`, 409 `conflict`, 422 `invalid_record` for missing references, and the
 * errors of `draft`, `expected` and `guardChange`.
 */
export async function changeRecord<T extends TableName>(
  context: AdminContext,
  table: T,
  id: string,
  draft: (current: Row<T>, tx: Transaction) => Partial<Row<T>> | Promise<Partial<Row<T>>>,
  { expected, keep_session, verb = "updated", details = {}, locks = [], also }: ChangeOptions<T> = {},
): Promise<Row<T>> {
  const actorPermissions = await permissionsOfActor(context);
  const at = context.now();
  const done = await orConflict(
    context.store.transaction(async (tx) => {
      await tx.lock(...locks, recordLock(table, id));
      const current = await loadRow(tx, table, id);
      const stale = staleness(expected, current);
      const drafted = withUnseenAttributes(actorPermissions, table, current, await draft(current, tx));
      const changes = differing(current, drafted);
      if (stale !== undefined) throw stale;
      if (Object.keys(changes).length === 0) return { row: current, current, changes: undefined, events: [] };
      await guardChange(tx, actorPermissions, table, current, changes);
      if (!actorPermissions.platform) await requireReferences(tx, table, changes);
      const { row, event } = await writeChange(tx, context, table, current, changes, at, {
        keep_session,
        verb,
        details,
      });
      const events = [event];
      await also?.(tx, current, changes, at, (each) => events.push(each));
      return { row, current, changes, events };
    }),
  );
  if (done.changes !== undefined) {
    await finishEndings(context, table, done.current, done.changes, at, keep_session);
  }
  for (const event of done.events) logEvent(context, event);
  notifyUser(context, table, { before: done.current, after: done.row });
  if (context.warn) warnOfPictures(context, table, { before: done.current, after: done.row });
  return done.row;
}

/**
 * Returns the `stale` error if the row is not the version that the caller has seen. Callers throw it only
 * after validating the input, so that invalid input is always reported first. Rethrows any other error of
 * `expected`.
 */
export function staleness<T extends TableName>(
  expected: Expected<T> | undefined,
  current: Row<T>,
): Problem | undefined {
  try {
    expected?.(current);
    return undefined;
  } catch (error) {
    if (error instanceof Problem && error.code === "stale") return error;
    throw error;
  }
}

export async function loadRow<T extends TableName>(tx: Transaction, table: T, id: string): Promise<Row<T>> {
  const row = await tx.find(table, { id } as never);
  if (row === undefined) throw notFound(table, id);
  return row;
}

function written<T extends TableName>(table: T, row: Row<T> | undefined): Row<T> {
  if (row === undefined) throw notWritten(table);
  return row;
}

const notWritten = (table: TableName) =>
  new Error(`the ${nounOf(table)} that was just written does not exist`);
