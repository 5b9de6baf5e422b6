/** `postern apply`: brings the records to what a manifest says. */
import type { NewRow, OAuthAppSecret, Row, TableName } from "../records/definition.ts";
import type { AdminContext } from "./actor.ts";
import { draftSecret, findSecret, newClientSecret } from "./app_secrets.ts";
import { differing, finishEndings, type Transaction, writeChange, writeNew } from "./changes.ts";
import { orConflict } from "./faults.ts";
import { type PlannedRecord, type PlannedRow, planManifest } from "./manifest_plan.ts";
import type { Values } from "./manifest_sections.ts";
import { type PasswordInput, passwordHash } from "./password_input.ts";

/** What applying a manifest did; records are named by kind and name, such as `app web-app`. */
export interface ManifestResult {
  readonly created: string[];
  readonly updated: string[];
  readonly unchanged: string[];
  /** Secrets that were made because the file gave none, by client_id; they are nowhere else. */
  readonly secrets: Record<string, string>;
}

/** Everything that is wrong with a manifest, one line for each fault: its path and what was expected. */
export class ManifestError extends Error {
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(["the manifest cannot be applied:", ...lines.map((line) => `  ${line}`)].join("\n"));
    this.name = "ManifestError";
    this.lines = lines;
  }
}

/** A record of the manifest with all slow work done: what is left is to write it. */
interface Prepared {
  readonly label: string;
  readonly state: "created" | "updated" | "unchanged";
  readonly secret: readonly [client_id: string, secret: string] | undefined;
  write(tx: Transaction): Promise<void>;
  /** After the commit. */
  finish(): Promise<void>;
}

/** Records whose passwords and secrets are hashed at once: enough to fill the hasher, few enough for its queue. */
const preparedAtOnce = 8;

/**
 * Makes the records what the manifest says; fields that it leaves out stay as they are. All of it is written in one
 * transaction, after every fault was looked for: throws `ManifestError` with every fault and writes nothing then, a 409
 * `conflict` when somebody else changed the same records meanwhile. A second run finds everything unchanged.
 * `dryRun` answers what would be done, and writes nothing.
 */
export async function applyManifest(
  manifest: unknown,
  context: AdminContext,
  { dryRun = false }: { dryRun?: boolean } = {},
): Promise<ManifestResult> {
  const { faults, records } = await planManifest(manifest, context);
  if (faults.length > 0) throw new ManifestError(faults);

  const at = context.now();
  const prepared: Prepared[] = [];
  for (let from = 0; from < records.length; from += preparedAtOnce) {
    const batch = records.slice(from, from + preparedAtOnce);
    prepared.push(...(await Promise.all(batch.map((record) => prepare(record, context, at)))));
  }
  const labels = (state: Prepared["state"]) =>
    prepared.filter((each) => each.state === state).map(({ label }) => label);
  const result = { created: labels("created"), updated: labels("updated"), unchanged: labels("unchanged") };
  if (dryRun) return { ...result, secrets: {} };

  const pending = prepared.filter(({ state }) => state !== "unchanged");
  if (pending.length > 0) {
    await orConflict(
      context.store.transaction(async (tx) => {
        for (const each of pending) await each.write(tx);
      }),
    );
  }
  for (const each of pending) await each.finish();
  const secrets = prepared.flatMap(({ secret }) => (secret === undefined ? [] : [secret]));
  return { ...result, secrets: Object.fromEntries(secrets) };
}

async function prepare(record: PlannedRecord, context: AdminContext, at: Date): Promise<Prepared> {
  const { table, current, label } = record;
  const password_hash = await newPasswordHash(record, context);
  const values = password_hash === undefined ? record.values : { ...record.values, password_hash };
  const row: PlannedRow = { table, current, values };
  const secrets = await prepareSecrets(record, context, at);
  const rows = [row, ...record.key_pairs, ...secrets.rows].filter(
    (each) => each.current === undefined || Object.keys(each.values).length > 0,
  );
  const touched = rows.length > 0 || secrets.dropped;
  return {
    label,
    state: current === undefined ? "created" : touched ? "updated" : "unchanged",
    secret: secrets.made,
    async write(tx) {
      for (const each of rows) await writeRow(tx, context, each, at);
      if (secrets.dropped) await tx.remove("oauth_app_secrets", { app_id: String(current?.id) });
    },
    async finish() {
      if (current !== undefined) await finishEndings(context, table, current as never, values as never, at);
    },
  };
}

async function writeRow<T extends TableName>(
  tx: Transaction,
  context: AdminContext,
  { table, current, values }: PlannedRow,
  at: Date,
): Promise<void> {
  if (current === undefined) await writeNew(tx, context, table as T, values as NewRow<T>);
  else await writeChange(tx, context, table as T, current as Row<T>, values as Partial<Row<T>>, at);
}

/** The hash to store, or undefined when the user has this password already or the file says nothing of it. */
async function newPasswordHash(
  { password, current }: PlannedRecord,
  { passwords }: AdminContext,
): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const stored = current?.password_hash;
  return typeof stored === "string" && (await isPassword(stored, password, passwords))
    ? undefined
    : passwordHash(password, passwords);
}

async function isPassword(
  stored: string,
  password: PasswordInput,
  passwords: AdminContext["passwords"],
): Promise<boolean> {
  return typeof password === "string" ? passwords.verify(stored, password) : password.argon2id === stored;
}

/** The rows to write for an app's secrets, whether those it has go, and the secret that was made for it. */
interface PreparedSecrets {
  readonly rows: readonly PlannedRow[];
  readonly dropped: boolean;
  readonly made: Prepared["secret"];
}

async function prepareSecrets(
  { table, current, values, secrets }: PlannedRecord,
  context: AdminContext,
  at: Date,
): Promise<PreparedSecrets> {
  const none: PreparedSecrets = { rows: [], dropped: false, made: undefined };
  if (table !== "oauth_apps") return none;
  const app: Values = { ...current, ...values };
  const app_id = String(app.id);
  const existing = current === undefined ? [] : await context.store.list("oauth_app_secrets", { app_id });
  if (app.public === true) return { ...none, dropped: existing.length > 0 };

  if (secrets === undefined) {
    const becomesConfidential = current === undefined || current.public === true;
    if (!becomesConfidential) return none;
    const value = newClientSecret(at);
    const row = await draftSecret(context, app_id, { value });
    return { ...none, rows: [newSecret(row)], made: [String(app.client_id), value] };
  }
  const rows: PlannedRow[] = [];
  for (const given of secrets) {
    const known = await findSecret(context, existing, given.value);
    if (known === undefined) rows.push(newSecret(await draftSecret(context, app_id, given)));
    else rows.push({ table: "oauth_app_secrets", current: known, values: secretChanges(known, given, at) });
  }
  return { ...none, rows };
}

function newSecret(values: Values): PlannedRow {
  return { table: "oauth_app_secrets", current: undefined, values };
}

function secretChanges(
  known: OAuthAppSecret,
  { expires_at, revoked }: { expires_at?: Date | null; revoked?: boolean },
  at: Date,
): Values {
  return differing<"oauth_app_secrets">(known, {
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(revoked === undefined || revoked === known.revoked
      ? {}
      : { revoked, revoked_at: revoked ? at : null }),
  });
}
