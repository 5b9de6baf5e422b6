import { detail } from "../../errors/details.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { NewRow, Row, TableName } from "../../records/definition/definition.ts";
import { manifestLock, recordLock } from "../../records/names/lock_names.ts";
import type { MeantName } from "../../storage/operation/manifest_rows.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { asConflict } from "../access/errors.ts";
import { notifyUser } from "../changes/account_notices.ts";
import { type AdminEvent, logEvent } from "../changes/audit.ts";
import { differing, finishEndings, type Transaction, writeChange, writeNew } from "../changes/changes.ts";
import { writeOrTry } from "../changes/dry_run.ts";
import { writeRemoval } from "../changes/removal.ts";
import type { SecretMemory } from "../manage/manifest_memory.ts";
import type { PlannedRecord, PreparedRow, Values } from "../manage/planned_record.ts";
import { keepWayIn } from "../records/linked_accounts.ts";
import type { MissingKeys } from "../records/signing_keys.ts";
import { requireSession } from "../records/users.ts";
import { type Difference, differencesOf } from "./difference.ts";
import { errorsInFile, guardErrors, isRefusal, refuseOwnDeletion } from "./guarded.ts";
import { listedIn, requireListed } from "./listed.ts";
import { changedMeanwhile, planManifest } from "./plan.ts";
import { type Prepared, prepareRecords, withRows } from "./prepare.ts";
import { type PrunedRecord, planPruning, writePruning } from "./prune.ts";
import { locksOf, refuseManifest } from "./refusals.ts";
import { rulesOfRows, sections } from "./sections.ts";

/** The names of the records by outcome, such as `app web-app`. */
export interface ManifestResult {
  readonly created: string[];
  readonly updated: string[];
  readonly unchanged: string[];
  readonly removed?: string[];
  /** Only in an import: records of an earlier import that now differ from the file. */
  readonly kept?: string[];
  readonly differences?: Difference[];
  /** Secrets that the server generated, by client_id or `api_key <name>`. They are returned only here. */
  readonly secrets: Record<string, string>;
}

export interface ApplyOptions {
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  /**
   * The name of the program from which records are imported. An import only creates records. It refuses
   * entries that grant permissions over this server (MG-11, MG-12).
   */
  readonly source?: string | undefined;
  /** `all` is undefined while records are read. */
  readonly onProgress?:
    | ((step: "read" | "compared" | "written", done: number, all?: number) => void)
    | undefined;
}

/** Returns a 422 `invalid_manifest`. Each error has a path such as `apps[2].redirect_uris[0]`. */
export function invalidManifest(errors: readonly FieldError[]): Problem {
  return new Problem("invalid_manifest", detail("invalid_manifest"), errors);
}

interface Work {
  readonly prepared: readonly Prepared[];
  readonly pruned: readonly PrunedRecord[];
}

interface Plan extends Work {
  readonly at: Date;
  readonly names: readonly MeantName[];
  readonly memory: SecretMemory;
}

async function planned(
  manifest: unknown,
  context: AdminContext,
  { prune = false, onProgress }: ApplyOptions,
): Promise<Plan> {
  const { now, store } = context;
  const { errors, records, names } = await planManifest(manifest, context, (done) =>
    onProgress?.("read", done),
  );
  if (errors.length > 0) throw invalidManifest(errors);
  const at = now();
  const { prepared, memory } = await prepareRecords(records, context, at, (done) =>
    onProgress?.("compared", done, records.length),
  );
  const pruned = prune ? await planPruning(context, prepared) : [];
  await refuseManifest(store, pendingOf(prepared, context), pruned);
  await refuseOwnDeletion(context, pruned);
  return { at, prepared, pruned, names, memory };
}

function resultOf({ prepared, pruned }: Work, { prune = false, source }: ApplyOptions): ManifestResult {
  const labels = (state: Prepared["state"]) =>
    prepared.filter((each) => each.state === state).map(({ record }) => record.label);
  return {
    created: labels("created"),
    updated: source === undefined ? labels("updated") : [],
    unchanged: labels("unchanged"),
    ...(prune ? { removed: pruned.map(({ label }) => label) } : {}),
    ...(source === undefined ? {} : { kept: labels("updated") }),
    secrets: {},
  };
}

/** An import changes no existing records. */
function pendingOf(
  prepared: readonly Prepared[],
  { import_source: source }: AdminContext,
): readonly Prepared[] {
  return inWritingOrder(
    prepared.filter(({ state }) => state === "created" || (state === "updated" && source === undefined)),
  );
}

/**
 * The server's attribute definitions must exist before records set values, because a name that has values
 * cannot be defined.
 */
function inWritingOrder(pending: readonly Prepared[]): readonly Prepared[] {
  const isFirst = ({ record: { table, values } }: Prepared) =>
    table === "attribute_definitions" && typeof values.organization_id !== "string";
  return [...pending.filter(isFirst), ...pending.filter((each) => !isFirst(each))];
}

/**
 * Makes the stored records match the manifest, in one transaction; omitted fields do not change. Concurrent
 * changes to columns that the file states are replaced, others are kept (H-66). Throws 422 `invalid_manifest`
 * with all errors of the file, and the errors of `refuseManifest`. Throws 409 `conflict` if records were
 * deleted or renamed concurrently.
 */
export async function applyManifest(
  manifest: unknown,
  caller: AdminContext,
  options: ApplyOptions = {},
): Promise<ManifestResult> {
  const { dryRun = false, source, onProgress } = options;
  const context: AdminContext = { ...caller, ...(source !== undefined && { import_source: source }) };
  const plan = await planned(manifest, context, options);
  const { at, memory } = plan;
  let { prepared, pruned } = plan;
  let pending = pendingOf(prepared, context);
  const keys = dryRun ? [] : await keysFor(pending, context);
  const names = dryRun ? [] : plan.names;
  if (pending.length + pruned.length + names.length > 0) {
    const work = writeOrTry(context, dryRun, async (tx) => {
      await tx.lock(manifestLock(), ...keys.flatMap((key) => key.locks).slice(0, 1));
      const found = await readAgain(tx, plan, ({ rows, matching }) => [...rows, ...matching]);
      const changing = pendingOf(found.prepared, context);
      // The locks on the records in lists are shared. A deletion needs an exclusive lock and waits for this
      // transaction.
      const listed = listedIn(changing).map(({ table, id }) => ({ shared: recordLock(table, id) }));
      await tx.lock(...(await locksOf(tx, changing, found.pruned)), ...listed);
      await requireSession(context, tx);
      ({ prepared, pruned } = await readAgain(tx, found, ({ rows }) => rows));
      pending = pendingOf(prepared, context);
      await requireListed(tx, listedIn(pending));
      await keepOwnWayIn(tx, context, pruned);
      const written: AdminEvent[] = [];
      for (const key of keys) await key.write?.(tx, (event) => written.push(event));
      for (const [index, each] of pending.entries()) {
        written.push(...(await write(tx, context, each, at)));
        if (!dryRun) onProgress?.("written", index + 1, pending.length);
      }
      // Concurrent requests may have changed which records refer to the pruned ones since the first check.
      await refuseManifest(tx, pending, pruned);
      written.push(...(await writePruning(tx, context, pruned, at)));
      const errors = await guardErrors(tx, context, pending);
      if (errors.length > 0) throw invalidManifest(errors);
      for (const name of names) await context.store.rememberName(name, at, tx);
      return written;
    });
    let events: AdminEvent[];
    try {
      events = await work;
    } catch (error) {
      const isConflict = error instanceof Problem && error.code === "conflict";
      const found = isConflict ? await foundDone(manifest, context, options) : undefined;
      if (found === undefined) throw error;
      return found;
    }
    if (!dryRun) for (const event of events) logEvent(context, event);
  }
  if (dryRun) {
    const changes = await differencesOf(pending, context);
    return { ...resultOf({ prepared, pruned }, options), differences: [...changes, ...pruned.map(removal)] };
  }
  for (const { table, current, values } of pending.flatMap(({ rows }) => rows)) {
    if (current === undefined) continue;
    await finishEndings(context, table, current as never, values as never, at);
    await rulesOfRows.get(table)?.finish?.({ ...current, ...values } as never, context);
  }
  for (const { table, row } of pruned) await rulesOfRows.get(table)?.finish?.(row as never, context);
  notifyUsers(context, pending, pruned);
  await memory.keep();
  return { ...resultOf({ prepared, pruned }, options), secrets: secretsOf(pending) };
}

/**
 * Reads the existing rows again and computes their changes anew. Otherwise a request could change a column
 * whose stored value the file repeats, such as `redirect_uris`. The change would remain although the file
 * makes the app trusted (H-66).
 */
async function readAgain(
  tx: Transaction,
  { prepared, pruned }: Work,
  rowsOf: (each: Prepared) => readonly PreparedRow[],
): Promise<Work> {
  const created = new Set(
    prepared.flatMap(({ rows }) =>
      rows.flatMap(({ table, current, values }) => (current === undefined ? [`${table} ${values.id}`] : [])),
    ),
  );
  const stored = async (table: TableName, { id }: Values): Promise<Values> => {
    const row = (await tx.find(table, { id } as never)) as Values | undefined;
    if (row === undefined) throw changedMeanwhile(table);
    return row;
  };
  const reread = async (each: Prepared): Promise<Prepared> => {
    const rows: PreparedRow[] = [];
    for (const row of rowsOf(each)) {
      const { table, current: read, revise } = row;
      if (read === undefined || revise === undefined || created.has(`${table} ${read.id}`)) rows.push(row);
      else {
        const current = await stored(table, read);
        try {
          const values = differing(current as never, (await revise(current)) as never) as Values;
          rows.push({ ...row, current, values });
        } catch (error) {
          throw isRefusal(error) ? invalidManifest(errorsInFile(error, each.record, row)) : error;
        }
      }
    }
    return withRows(each, rows);
  };
  const again: Prepared[] = [];
  for (const each of prepared) again.push(await reread(each));
  const going: PrunedRecord[] = [];
  for (const each of pruned) going.push({ ...each, row: await stored(each.table, each.row) });
  return { prepared: again, pruned: going };
}

/**
 * Throws 409 `conflict` if pruning linked accounts would leave the caller without a way to sign in (EP-13).
 */
async function keepOwnWayIn(
  tx: Transaction,
  context: AdminContext,
  pruned: readonly PrunedRecord[],
): Promise<void> {
  const { user_id } = await permissionsOfActor(context);
  if (user_id === null) return;
  const own = pruned.filter(({ table, row }) => table === "oauth_accounts" && row.user_id === user_id);
  const links = own.map(({ id }) => ({ id, user_id }));
  await keepWayIn(tx, context, links);
}

/** Tells users about changes to their accounts (SS-8), except users whom this manifest created. */
function notifyUsers(
  { onAccountNotice }: AdminContext,
  pending: readonly Prepared[],
  pruned: readonly PrunedRecord[],
): void {
  const sent = new Set<string>();
  const context: Pick<AdminContext, "onAccountNotice"> = {
    onAccountNotice(notice) {
      const key = `${notice.kind} ${notice.user_id}`;
      if (!sent.has(key)) onAccountNotice?.(notice);
      sent.add(key);
    },
  };
  const rows = pending.flatMap((each) => each.rows);
  const added = new Set<unknown>(
    rows.flatMap(({ table, current, values }) =>
      table === "users" && current === undefined ? [values.id] : [],
    ),
  );
  for (const { table, current, values } of rows) {
    const after: Values = { ...current, ...values };
    if (added.has(after.user_id)) continue;
    notifyUser(context, table, { before: current as never, after: after as never });
  }
  for (const { table, row } of pruned) notifyUser(context, table, { before: row as never });
}

async function keysFor(pending: readonly Prepared[], context: AdminContext): Promise<MissingKeys[]> {
  const keys: MissingKeys[] = [];
  for (const { record } of pending) {
    const section = sections.find(({ table }) => table === record.table);
    const key = await section?.manifest.needs?.(context, record.values);
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

/**
 * Returns the result if a concurrent run has already applied the same file; undefined if something still
 * differs.
 */
async function foundDone(
  manifest: unknown,
  context: AdminContext,
  { onProgress: _, ...options }: ApplyOptions,
): Promise<ManifestResult | undefined> {
  const { prepared, pruned } = await planned(manifest, context, options);
  const left = pendingOf(prepared, context).length + pruned.length;
  return left === 0 ? resultOf({ prepared, pruned }, options) : undefined;
}

async function write(
  tx: Transaction,
  context: AdminContext,
  { record, rows, dropped }: Prepared,
  at: Date,
): Promise<AdminEvent[]> {
  const events: AdminEvent[] = [];
  for (const row of rows)
    try {
      events.push(await writeRow(tx, context, row, at, record));
    } catch (error) {
      if (isRefusal(error)) throw invalidManifest(errorsInFile(error, record, row));
      const conflict = asConflict(error);
      if (!isRefusal(conflict)) throw error;
      throw new Problem(conflict.code, conflict.detail, errorsInFile(conflict, record, row));
    }
  for (const { table, column } of dropped)
    for (const row of await tx.list(table, { [column]: record.id } as never))
      events.push(await writeRemoval(tx, context, table, row));
  return events;
}

async function writeRow<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  { table, current, values, generated }: PreparedRow,
  at: Date,
  record: PlannedRecord,
): Promise<AdminEvent> {
  const rules = rulesOfRows.get(table);
  if (current !== undefined) {
    const changes = values as Partial<Row<T>>;
    const changed = await writeChange(tx, context, table as T, current as Row<T>, changes, at);
    await rules?.also?.(tx, { before: current as never, after: changed.row as never }, at, context);
    return changed.event;
  }
  const { row, event } = await writeNew(tx, context, table as T, values as NewRow<T>);
  await rules?.also?.(tx, { before: undefined, after: row as never }, at, context);
  const { import_source: source = null } = context;
  const name = source === null ? null : (record.key ?? null);
  if (generated !== true && (source === null || table === record.table))
    await context.store.markApplied(table, String(values.id), at, tx, { source, name });
  return event;
}

function removal({ label }: PrunedRecord): Difference {
  return { change: "remove", record: label, fields: {}, hidden: [] };
}

/**
 * If several records share a name, the id is appended for all except the first, so that no secret is
 * overwritten.
 */
function secretsOf(prepared: readonly Prepared[]): Record<string, string> {
  const secrets = new Map<string, string>();
  for (const { made, record } of prepared) {
    for (const [name, secret] of made) {
      secrets.set(secrets.has(name) ? `${name} ${record.id}` : name, secret);
    }
  }
  return Object.fromEntries(secrets);
}
