/**
 * `postern apply --prune`: removes what an earlier apply made and the file no longer names. What people made
 * is never named here: it goes only where it hangs on a record that is removed (docs/decisions/0011), and
 * apps and service accounts of theirs, which others rely on, keep such a record from being removed.
 */
import type { TableName } from "../../records/definition.ts";
import type { Verbs } from "../../storage/verbs.ts";
import type { AdminContext } from "../access/actor.ts";
import { organizationIdOf } from "../access/owners.ts";
import { type AdminEvent, recordEvent } from "../audit.ts";
import { eventType, type Transaction } from "../changes.ts";
import { endFallenInvitations, inviterIn } from "../invitations/inviters.ts";
import { shownOf } from "../record_view.ts";
import type { Prepared } from "./prepare.ts";
import type { Values } from "./sections.ts";

/** A record that is to go. */
export interface PrunedRecord {
  readonly table: TableName;
  readonly id: string;
  readonly row: Values;
  /** Its kind and name, such as `app web-app`. */
  readonly label: string;
}

type Reader = Pick<Verbs, "find" | "list">;

/**
 * Every table that an apply writes, in the order in which records go: nothing goes before what refers to it.
 */
const order: readonly TableName[] = [
  "oauth_consents",
  "api_keys",
  "oauth_accounts",
  "oauth_app_secrets",
  "service_account_key_pairs",
  "memberships",
  "service_accounts",
  "oauth_apps",
  "users",
  "organizations",
];

/** What goes when this file is applied, in the right order. */
export async function planPruning(
  { store }: Pick<AdminContext, "store">,
  prepared: readonly Prepared[],
): Promise<PrunedRecord[]> {
  const named = namedIds(prepared);
  const pruned: PrunedRecord[] = [];
  for (const table of order) {
    const going: PrunedRecord[] = [];
    for (const id of await store.appliedRecords(table)) {
      if (named.ids.has(`${table} ${id}`)) continue;
      const row = (await store.find(table, { id } as never)) as Values | undefined;
      const whole = String(row?.app_id ?? row?.service_account_id);
      const isUnspoken =
        named.ids.has(`${parentOf[table]} ${whole}`) && !named.spoken.has(`${table} ${whole}`);
      if (row !== undefined && !isUnspoken) {
        going.push({ table, id, row, label: await labelOf(store, table, row) });
      }
    }
    pruned.push(...going.toSorted((one, other) => (one.label < other.label ? -1 : 1)));
  }
  return pruned;
}

/**
 * Records whose rows are part of another: they stay while the file names that one and says nothing of its
 * parts.
 */
const parentOf: Partial<Record<TableName, TableName>> = {
  oauth_app_secrets: "oauth_apps",
  service_account_key_pairs: "service_accounts",
};

function namedIds(prepared: readonly Prepared[]): { ids: Set<string>; spoken: Set<string> } {
  const ids = new Set<string>();
  const spoken = new Set<string>();
  for (const { record, secret_ids } of prepared) {
    ids.add(`${record.table} ${record.id}`);
    if (secret_ids !== undefined) spoken.add(`oauth_app_secrets ${record.id}`);
    if (record.key_pairs !== undefined) spoken.add(`service_account_key_pairs ${record.id}`);
    for (const id of secret_ids ?? []) ids.add(`oauth_app_secrets ${id}`);
    for (const { current, values } of record.key_pairs ?? []) {
      ids.add(`service_account_key_pairs ${(current ?? values).id}`);
    }
  }
  return { ids, spoken };
}

async function labelOf(store: Reader, table: TableName, row: Values): Promise<string> {
  const email = async (id: unknown) => (await store.find("users", { id: String(id) }))?.email ?? "?";
  const slug = async (id: unknown) => (await store.find("organizations", { id: String(id) }))?.slug ?? "?";
  const client_id = async (id: unknown) =>
    (await store.find("oauth_apps", { id: String(id) }))?.client_id ?? "?";
  switch (table) {
    case "users":
      return `user ${row.email}`;
    case "organizations":
      return `organization ${row.slug}`;
    case "memberships":
      return `membership ${await email(row.user_id)} ${await slug(row.organization_id)}`;
    case "oauth_accounts":
      return `linked_account ${row.provider} ${row.provider_user_id}`;
    case "api_keys":
      return `api_key ${row.name}`;
    case "oauth_apps":
      return `app ${row.client_id}`;
    case "oauth_app_secrets":
      return `app_secret ${await client_id(row.app_id)} ${row.secret_prefix}…`;
    case "oauth_consents":
      return `consent ${await email(row.user_id)} ${await client_id(row.app_id)}`;
    case "service_accounts":
      return `service_account ${row.email}`;
    default: {
      const account = await store.find("service_accounts", { id: String(row.service_account_id) });
      return `key_pair ${account?.email ?? "?"} ${row.key_id}`;
    }
  }
}

/** Removes them with all that hangs on them, each with its audit event; answers the events. */
export async function writePruning(
  tx: Transaction,
  context: AdminContext,
  pruned: readonly PrunedRecord[],
  at: Date,
): Promise<AdminEvent[]> {
  const events: AdminEvent[] = [];
  for (const { table, id, row } of pruned) {
    const event: AdminEvent = {
      type: eventType(table, "deleted"),
      target_table: table,
      target_id: id,
      // Asked before the row is gone, because what it belongs to may go with it.
      organization_id: await organizationIdOf(tx, table, row),
      details: { before: shownOf(table, row as never, Object.keys(row)) },
    };
    if (table === "oauth_consents") await endConsent(tx, row, at);
    await tx.remove(table, { id } as never);
    const inviter = inviterIn(table, row as never, undefined);
    if (inviter !== undefined) await endFallenInvitations(tx, context, inviter);
    await context.store.forgetApplied(table, id, tx);
    await recordEvent(context, event, tx);
    events.push(event);
  }
  return events;
}

/** Tokens stand on a consent, and end with it. */
async function endConsent(tx: Transaction, { user_id, app_id }: Values, at: Date): Promise<void> {
  const where = { user_id: String(user_id), app_id: String(app_id) };
  await tx.update(
    "oauth_tokens",
    { ...where, revoked: false },
    { revoked: true, revoked_at: at, revoked_reason: "consent_withdrawn" },
  );
  await tx.remove("oauth_auth_codes", { ...where, used: false });
}
