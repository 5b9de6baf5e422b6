/**
 * All slow work of a manifest: hashing, sealing and comparing with what is stored, before anything is
 * written.
 */
import { apiKeyHash, apiKeyText } from "../../crypto/api_keys.ts";
import { prefixOf } from "../../crypto/credentials.ts";
import type { OAuthAppSecret, TableName } from "../../records/definition.ts";
import { type AdminContext, sealerOf } from "../access/actor.ts";
import { differing } from "../changes.ts";
import { draftSecret, newClientSecret } from "../records/app_secrets.ts";
import { type GivenSecret, isLiveSecret, mostSecrets, tooManySecrets } from "../records/given_secrets.ts";
import { passwordHash } from "../records/password_input.ts";
import { recallSecrets, type SecretMemory, type SecretPair } from "./memory.ts";
import type { PlannedRow } from "./parts.ts";
import type { PlannedRecord } from "./plan.ts";
import type { Values } from "./sections.ts";

/** A record of the manifest with all slow work done: what is left is to write it. */
export interface Prepared {
  readonly record: PlannedRecord;
  readonly state: "created" | "updated" | "unchanged";
  /** What is to be written: the record itself, and what is part of it. Nothing of it is unchanged. */
  readonly rows: readonly PreparedRow[];
  /** The app becomes public, so the secrets that it has go. */
  readonly dropped: boolean;
  /** The secrets that the file names, when it speaks of them. */
  readonly secret_ids: readonly string[] | undefined;
  /** Members that change and are never shown. */
  readonly hidden: readonly string[];
  /** A secret that was made, and what it belongs to. */
  readonly made: readonly [name: string, secret: string] | undefined;
}

export interface PreparedRow extends PlannedRow {
  /** What it is called within its record; undefined for the record itself. */
  readonly part: string | undefined;
  /** Made here and shown once, so no file names it: people hold it. */
  readonly generated?: true;
}

/**
 * Records whose passwords and secrets are hashed at once: enough to fill the hasher, few enough for its
 * queue.
 */
const preparedAtOnce = 8;

/** Everything that is to be written, and the memory that makes the next run quick. */
export async function prepareRecords(
  records: readonly PlannedRecord[],
  context: AdminContext,
  at: Date,
): Promise<{ prepared: Prepared[]; memory: SecretMemory }> {
  const stored = await inBatches(records, (record) => storedSecrets(record, context));
  const likely = records.flatMap((record, index) => likelyPairs(record, stored[index] ?? []));
  const memory = await recallSecrets(context, likely);
  const prepared = await inBatches(records, (record, index) =>
    prepare(record, stored[index] ?? [], { context, memory, at }),
  );
  return { prepared, memory };
}

async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += preparedAtOnce) {
    const batch = items.slice(from, from + preparedAtOnce);
    done.push(...(await Promise.all(batch.map((item, index) => work(item, from + index)))));
  }
  return done;
}

async function storedSecrets(
  { table, current }: PlannedRecord,
  { store }: AdminContext,
): Promise<OAuthAppSecret[]> {
  if (table !== "oauth_apps" || current === undefined) return [];
  return store.list("oauth_app_secrets", { app_id: String(current.id) });
}

/** Stored hashes with what they most likely were made of: there is one candidate by the prefix. */
function likelyPairs(
  { current, password, secrets }: PlannedRecord,
  stored: readonly OAuthAppSecret[],
): SecretPair[] {
  const hash = current?.password_hash;
  const ofUser = typeof password === "string" && typeof hash === "string" ? [{ hash, value: password }] : [];
  const ofApp = (secrets ?? []).flatMap(({ value }) => {
    const candidates = stored.filter(({ secret_prefix }) => secret_prefix === prefixOf(value));
    const [only] = candidates;
    return only === undefined || candidates.length > 1 ? [] : [{ hash: only.secret_hash, value }];
  });
  return [...ofUser, ...ofApp];
}

interface Preparing {
  readonly context: AdminContext;
  readonly memory: SecretMemory;
  readonly at: Date;
}

async function prepare(
  record: PlannedRecord,
  stored: readonly OAuthAppSecret[],
  preparing: Preparing,
): Promise<Prepared> {
  const { table, current, key_pairs = [] } = record;
  const hidden: string[] = [];
  const values: Values = {
    ...record.values,
    ...(await passwordColumns(record, preparing)),
    ...tokenColumns(record, preparing.context),
  };
  if (values.password_hash != null) hidden.push("password");
  for (const name of ["access_token", "refresh_token"]) {
    if (table === "oauth_accounts" && current !== undefined && name in values) hidden.push(name);
  }
  const key = table === "api_keys" && current === undefined ? apiKeyText(preparing.at) : undefined;
  const ofKey = key === undefined ? {} : { key_prefix: prefixOf(key), key_hash: apiKeyHash(key) };
  const secrets = await prepareSecrets(record, stored, preparing);
  const rows: PreparedRow[] = [
    { table, current, values: { ...values, ...ofKey }, part: undefined },
    ...key_pairs.map((pair): PreparedRow => ({ ...pair, part: pair.name })),
    ...secrets.rows,
  ];
  const changing = rows.filter((row) => row.current === undefined || Object.keys(row.values).length > 0);
  if (secrets.dropped || secrets.rows.some(({ current: known }) => known === undefined))
    hidden.push("secrets");
  const isLive = record.values.revoked !== true;
  return {
    record,
    state:
      current === undefined ? "created" : changing.length > 0 || secrets.dropped ? "updated" : "unchanged",
    rows: changing,
    dropped: secrets.dropped,
    secret_ids: secrets.ids,
    hidden,
    made: key === undefined ? secrets.made : isLive ? [`api_key ${record.name}`, key] : undefined,
  };
}

/** The hash to store; nothing when the user has this password already or the file says nothing of it. */
async function passwordColumns(
  { password, current }: PlannedRecord,
  { context, memory }: Preparing,
): Promise<Values> {
  if (password === undefined) return {};
  const stored = current?.password_hash;
  if (typeof stored === "string") {
    const same =
      typeof password === "string" ? await memory.verify(stored, password) : password.argon2id === stored;
    if (same && typeof password === "string") memory.note({ hash: stored, value: password });
    if (same) return {};
  }
  const password_hash = await passwordHash(password, context);
  if (typeof password === "string") memory.note({ hash: password_hash, value: password });
  return { password_hash };
}

/**
 * The tokens of a linked account, sealed (spec 2.4). A new account without them, as an export gives it, has
 * an empty access token: it says who somebody is at the provider, and the next sign-in there brings the
 * tokens.
 */
function tokenColumns({ table, id, current, tokens }: PlannedRecord, context: AdminContext): Values {
  if (table !== "oauth_accounts") return {};
  const sealer = sealerOf(context);
  const columns: Record<string, unknown> = {};
  const given = current === undefined ? { access_token: "", ...tokens } : tokens;
  for (const [name, token] of Object.entries(given)) {
    const sealed = current?.[name];
    const is = typeof sealed === "string" ? sealer.open("linked_account", sealed, id) : null;
    if (current !== undefined && is === token) continue;
    columns[name] = token === null ? null : sealer.seal("linked_account", token, id);
  }
  return columns;
}

/** The rows to write for an app's secrets, whether those it has go, and the secret that was made for it. */
interface PreparedSecrets {
  readonly rows: readonly PreparedRow[];
  readonly ids: readonly string[] | undefined;
  readonly dropped: boolean;
  readonly made: Prepared["made"];
}

async function prepareSecrets(
  { table, current, values, secrets }: PlannedRecord,
  stored: readonly OAuthAppSecret[],
  { context, memory, at }: Preparing,
): Promise<PreparedSecrets> {
  const none: PreparedSecrets = { rows: [], ids: undefined, dropped: false, made: undefined };
  if (table !== "oauth_apps") return none;
  const app: Values = { ...current, ...values };
  const app_id = String(app.id);
  if (app.public === true) return { ...none, dropped: stored.length > 0 };

  if (secrets === undefined) {
    const becomesConfidential = current === undefined || current.public === true;
    if (!becomesConfidential) return none;
    const value = newClientSecret(at);
    const row = await draftSecret(context, app_id, { value });
    return { ...none, rows: [{ ...newSecret(row), generated: true }], made: [String(app.client_id), value] };
  }
  const rows: PreparedRow[] = [];
  const pairs: SecretPair[] = [];
  for (const given of secrets) {
    const known = await findKnown(stored, given.value, memory);
    const row = known ?? (await draftSecret(context, app_id, given));
    pairs.push({ hash: row.secret_hash, value: given.value });
    if (known === undefined) rows.push(newSecret(row));
    else {
      const part = `secrets[${known.secret_prefix}…]`;
      rows.push({
        table: "oauth_app_secrets",
        current: known,
        values: secretChanges(known, given, at),
        part,
      });
    }
  }
  const byId = new Map<unknown, Values>(stored.map((secret) => [secret.id, secret]));
  for (const { current: known, values: row } of rows) byId.set((known ?? row).id, { ...known, ...row });
  const live = [...byId.values()].filter((row) => isLiveSecret(row as OAuthAppSecret, at));
  if (live.length > mostSecrets) throw tooManySecrets(`/apps/${String(app.client_id)}/secrets`);
  const added = rows.flatMap(({ current: known, values: row }) => (known === undefined ? [row] : []));
  const prefixes = [...stored, ...added].map(({ secret_prefix }) => secret_prefix);
  for (const pair of pairs) {
    // Of several that begin alike the next run cannot tell which is likely.
    if (prefixes.filter((prefix) => prefix === prefixOf(pair.value)).length === 1) memory.note(pair);
  }
  return { ...none, rows, ids: rows.map((row) => String((row.current ?? row.values).id)) };
}

async function findKnown(
  stored: readonly OAuthAppSecret[],
  value: string,
  memory: SecretMemory,
): Promise<OAuthAppSecret | undefined> {
  const prefix = prefixOf(value);
  for (const secret of stored) {
    if (secret.secret_prefix === prefix && (await memory.verify(secret.secret_hash, value))) return secret;
  }
  return undefined;
}

function newSecret(values: Values): PreparedRow {
  return { table: "oauth_app_secrets" satisfies TableName, current: undefined, values, part: "secrets" };
}

function secretChanges(known: OAuthAppSecret, { expires_at, revoked }: GivenSecret, at: Date): Values {
  return differing<"oauth_app_secrets">(known, {
    ...(expires_at === undefined ? {} : { expires_at }),
    ...(revoked === undefined || revoked === known.revoked
      ? {}
      : { revoked, revoked_at: revoked ? at : null }),
  });
}
