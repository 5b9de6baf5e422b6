/**
 * Defines the records that "It was not me" ends (SS-15, docs/decisions/account-recovery.md). Apps, APIs,
 * providers and service accounts are only deactivated, because organizations may use them.
 */
import { recordNouns } from "../../../errors/messages.ts";
import type { ColumnOf, Row, TableName, User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { deletionRequested } from "../../../records/names/deletion_days.ts";
import { endsUpTo } from "../../../records/names/liveness.ts";
import type { Transaction } from "../../../storage/database/database.ts";
import type { Verbs, Where } from "../../../storage/database/verbs.ts";
import { auditOwnAct } from "../../core/audit_own_act.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import { isPendingDeletion } from "../../core/undo_deletion.ts";
import { removeLink } from "../../providers/unproved_links.ts";
import { dropPasskey } from "../passkeys/change_passkey.ts";
import { dropAuthenticatorApp } from "../totp/authenticator_apps.ts";

type Reads = Pick<Verbs, "find" | "list">;

interface Theft {
  readonly user: Pick<User, "id">;
  readonly since: Date;
}

interface Ending {
  readonly origin: RequestOrigin;
  readonly at: Date;
}

type StolenKind =
  | "linked_accounts"
  | "api_keys"
  | "passkeys"
  | "authenticator_apps"
  | "recovery_codes"
  | "apps"
  | "secrets"
  | "consents"
  | "service_accounts"
  | "key_pairs"
  | "apis"
  | "providers"
  | "invitations";

interface Rule<T extends TableName> {
  readonly kind: StolenKind;
  made(reads: Reads, theft: Theft): Promise<readonly Row<T>[]>;
  nameOf?(row: Row<T>): string;
  end(tx: Transaction, row: Row<T>, theft: Theft & Ending, context: IdentityContext): Promise<unknown>;
}

/**
 * How rows of one table are found and ended; or a reason. `all` says why all rows of the user may end without
 * being listed, `kept` why none ends.
 */
type Line<T extends TableName> = Rule<T> | { readonly all: string } | { readonly kept: string };

type Dated = { readonly id: string; readonly created_at: Date };

async function byColumn<T extends TableName>(
  reads: Reads,
  table: T,
  column: ColumnOf<T>,
  { user, since }: Theft,
  where: object = {},
): Promise<Row<T>[]> {
  const rows = await reads.list(table, { ...where, [column]: user.id } as Where<T>);
  return rows.filter((row) => (row as Dated).created_at >= since);
}

/**
 * Finds the rows of a table that does not reference their creator, through the audit events of their
 * creation.
 */
async function byAudit<T extends TableName>(
  reads: Reads,
  table: T,
  { user, since }: Theft,
  where: object = {},
): Promise<Row<T>[]> {
  const type = `${recordNouns[table].toLowerCase().replaceAll(" ", "_")}.created`;
  const events = await reads.list("audit_events", { actor_kind: "user", actor_id: user.id, type });
  const found: Row<T>[] = [];
  for (const { created_at, target_id: id } of events) {
    if (created_at < since || id === null) continue;
    const row = await reads.find(table, { ...where, id } as Where<T>);
    if (row !== undefined) found.push(row);
  }
  return found;
}

const once = <R>(rows: readonly R[]): readonly R[] => [
  ...new Map(rows.map((row) => [(row as Dated).id, row])).values(),
];

async function change<T extends TableName>(
  tx: Transaction,
  table: T,
  row: Row<T>,
  changes: object,
  { user, origin, at }: Theft & Ending,
  context: IdentityContext,
): Promise<void> {
  const { id } = row as Dated;
  await tx.update(table, { id } as Where<T>, changes as Partial<Row<T>>);
  const verb = "active" in changes ? "updated" : "revoked";
  const type = `${recordNouns[table].toLowerCase().replaceAll(" ", "_")}.${verb}`;
  const details = verb === "updated" ? { before: { active: true }, after: { active: false } } : null;
  const { organization_id = null } = row as { readonly organization_id?: string | null };
  const event = { type, target_table: table, target_id: id, organization_id, details };
  await auditOwnAct(tx, context, { user, origin, at }, event);
}

const named = (row: { readonly name: string }) => row.name;
const on = { active: true };

export const stolenRule: { readonly [T in TableName]: Line<T> } = {
  attribute_definitions: { kept: "they give no access, and organizations use them" },
  oauth_accounts: {
    kind: "linked_accounts",
    made: (reads, theft) => byColumn(reads, "oauth_accounts", "user_id", theft),
    nameOf: ({ provider }) => provider,
    end: (tx, link, { origin, at }, context) => removeLink(tx, link, { origin, at }, context),
  },
  api_keys: {
    kind: "api_keys",
    // Keys of organizations do not reference their creator, so they are found through their audit events.
    made: async (reads, theft) =>
      once([
        ...(await byColumn(reads, "api_keys", "user_id", theft, { revoked: false })),
        ...(await byAudit(reads, "api_keys", theft, { revoked: false })),
      ]),
    nameOf: named,
    end: (tx, key, by, context) => change(tx, "api_keys", key, { revoked: true }, by, context),
  },
  passkeys: {
    kind: "passkeys",
    made: (reads, theft) => byColumn(reads, "passkeys", "user_id", theft),
    nameOf: named,
    end: (tx, passkey, { origin }, context) => dropPasskey(tx, passkey, origin, context),
  },
  totp_authenticators: {
    kind: "authenticator_apps",
    made: (reads, theft) => byColumn(reads, "totp_authenticators", "user_id", theft),
    nameOf: named,
    end: (tx, app, { origin }, context) => dropAuthenticatorApp(tx, app, origin, context),
  },
  recovery_codes: {
    kind: "recovery_codes",
    made: (reads, theft) => byColumn(reads, "recovery_codes", "user_id", theft),
    end: (tx, { id }) => tx.remove("recovery_codes", { id }),
  },
  oauth_apps: {
    kind: "apps",
    made: (reads, theft) => byColumn(reads, "oauth_apps", "owner_id", theft, on),
    nameOf: named,
    end: (tx, app, by, context) => {
      const off = { active: false, tokens_not_before: endsUpTo(by.at, app), updated_at: by.at };
      return change(tx, "oauth_apps", app, off, by, context);
    },
  },
  oauth_app_secrets: {
    kind: "secrets",
    made: async (reads, theft) => {
      const apps = await byColumn(reads, "oauth_apps", "owner_id", theft);
      const working = { revoked: false };
      const ofApps = apps.map(({ id: app_id }) => reads.list("oauth_app_secrets", { ...working, app_id }));
      const others = await byAudit(reads, "oauth_app_secrets", theft, working);
      return once([...(await Promise.all(ofApps)).flat(), ...others]);
    },
    nameOf: ({ secret_prefix }) => secret_prefix,
    end: (tx, secret, by, context) =>
      change(tx, "oauth_app_secrets", secret, { revoked: true, revoked_at: by.at }, by, context),
  },
  oauth_consents: {
    kind: "consents",
    async made(reads, { user, since }) {
      const consents = await reads.list("oauth_consents", { user_id: user.id, revoked: false });
      return consents.filter(({ granted_at }) => granted_at >= since);
    },
    end: (tx, consent, by, context) => {
      const ended = { revoked: true, revoked_at: by.at, revoked_reason: "consent_withdrawn" };
      return change(tx, "oauth_consents", consent, ended, by, context);
    },
  },
  service_accounts: {
    kind: "service_accounts",
    made: (reads, theft) => byColumn(reads, "service_accounts", "created_by", theft, on),
    nameOf: named,
    end: (tx, account, by, context) => {
      const off = { active: false, tokens_not_before: endsUpTo(by.at, account), updated_at: by.at };
      return change(tx, "service_accounts", account, off, by, context);
    },
  },
  service_account_key_pairs: {
    kind: "key_pairs",
    made: async (reads, theft) => {
      const accounts = await byColumn(reads, "service_accounts", "created_by", theft);
      const working = { revoked: false };
      const ofAccounts = accounts.map(({ id: service_account_id }) =>
        reads.list("service_account_key_pairs", { ...working, service_account_id }),
      );
      const others = await byAudit(reads, "service_account_key_pairs", theft, working);
      return once([...(await Promise.all(ofAccounts)).flat(), ...others]);
    },
    nameOf: ({ key_id }) => key_id,
    end: (tx, pair, by, context) =>
      change(tx, "service_account_key_pairs", pair, { revoked: true, revoked_at: by.at }, by, context),
  },
  resources: {
    kind: "apis",
    made: (reads, theft) => byAudit(reads, "resources", theft, on),
    nameOf: named,
    end: (tx, api, by, context) =>
      change(tx, "resources", api, { active: false, updated_at: by.at }, by, context),
  },
  providers: {
    kind: "providers",
    made: (reads, theft) => byAudit(reads, "providers", theft, on),
    nameOf: ({ label }) => label,
    end: (tx, provider, by, context) =>
      change(tx, "providers", provider, { active: false, updated_at: by.at }, by, context),
  },
  invitations: {
    kind: "invitations",
    made: (reads, theft) => byColumn(reads, "invitations", "invited_by", theft),
    nameOf: ({ email }) => email,
    async end(tx, { id, organization_id }, { user, origin, at }, context) {
      await tx.remove("invitations", { id });
      const type = "invitation.withdrawn";
      const event = { type, target_table: "invitations", target_id: id, organization_id, details: null };
      await auditOwnAct(tx, context, { user, origin, at }, event);
    },
  },
  sessions: { all: "users sign in again" },
  oauth_tokens: { all: "an app gets new tokens at the next sign-in" },
  oauth_auth_codes: { all: "they expire within minutes" },
  devices: { all: "a remembered browser asks for the second factor again" },
  recoveries: { all: "the owner can start another one" },
  users: {
    kept: "the account belongs to its owner; a changed address and a requested deletion are undone separately",
  },
  foreign_passwords: { kept: "only platform administrators import them, and a new password removes them" },
  imported_people: { kept: "they identify the owner in another system" },
  organizations: { kept: "only platform administrators create them, and their members use them" },
  memberships: {
    kept: "those of others belong to them; the organization's audit trail shows who added whom",
  },
  roles: { kept: "they belong to an organization, whose audit trail shows who created them" },
  groups: { kept: "they belong to an organization, whose audit trail shows who created them" },
  group_members: {
    kept: "they end with the membership; the organization's audit trail shows who added them",
  },
  app_roles: { kept: "they belong to an API, and the audit trail shows who created them" },
  signing_keys: { kept: "they belong to the server, which does not reveal their private half" },
  audit_events: { kept: "they record what was done" },
  webhook_endpoints: { kept: "they belong to organizations and the server" },
  events: { kept: "they tell consumers what happened" },
  refusals: { kept: "they record what was refused" },
  statistics: { kept: "they are counts" },
  ephemera: {
    kept: "proofs of the account, including pending address changes, end with the account's tokens",
  },
  client_documents: { kept: "they are copies of what clients publish" },
  signal_streams: { kept: "they belong to apps" },
  session_apps: { kept: "they end with their sessions" },
  deliveries: { kept: "they tell apps that sessions ended" },
  manifest_records: { kept: "they record what a manifest created" },
  manifest_names: { kept: "they record what manifests mean" },
  retired_providers: { kept: "they reserve the slugs of deleted providers" },
};

export interface StolenThings {
  readonly kind: StolenKind;
  readonly count: number;
  readonly names: readonly string[];
}

function* rules(): Generator<[TableName, Rule<TableName>]> {
  for (const [table, line] of Object.entries(stolenRule)) {
    if ("made" in line) yield [table as TableName, line as unknown as Rule<TableName>];
  }
}

function listed({ kind, nameOf }: Rule<TableName>, rows: readonly Row<TableName>[]): StolenThings[] {
  const names = nameOf === undefined ? [] : rows.map((row) => nameOf(row));
  return rows.length === 0 ? [] : [{ kind, count: rows.length, names }];
}

/** Returns the records that `endStolen` would end now. */
export async function stolenThings(theft: Theft, { store }: Pick<IdentityContext, "store">) {
  const things: StolenThings[] = [];
  for (const [, rule] of rules()) things.push(...listed(rule, await rule.made(store, theft)));
  return things;
}

/**
 * Ends the user's records that are not older than `since`, in a transaction that holds the user's lock. The
 * caller ends sessions, tokens and remembered browsers with `endEverythingOf`.
 */
export async function endStolen(
  tx: Transaction,
  by: Theft & Ending,
  context: IdentityContext,
): Promise<readonly StolenThings[]> {
  const things: StolenThings[] = [];
  // All records are found before the first one ends, so records that end together with another one are
  // counted too.
  const found: [Rule<TableName>, readonly Row<TableName>[]][] = [];
  for (const [, rule] of rules()) found.push([rule, await rule.made(tx, by)]);
  for (const [rule, rows] of found) {
    for (const row of rows) await rule.end(tx, row, by, context);
    things.push(...listed(rule, rows));
  }
  return things;
}

/** Returns whether the deletion of the account was requested since the theft. */
export function isStolenDeletion(user: User, since: Date, at: Date): boolean {
  return isPendingDeletion(user, at) && deletionRequested(user.deletion_at).getTime() >= since.getTime();
}
