/**
 * What a row belongs to: said once for each table, for single rows and for the lists of what somebody may
 * see.
 */
import { type RawBuilder, sql } from "kysely";
import type { TableName } from "../records/definition.ts";
import type { Database } from "./database.ts";
import type { Dialect } from "./dialect.ts";
import { arg, type Statement, statement, yes } from "./statement.ts";

/** Whose grant counts for a row. */
export interface Owner {
  /** The organizations that the row belongs to. */
  readonly organization_ids: readonly string[];
  /** The user whose own it is. */
  readonly user_id: string | null;
}

export interface OwnershipRules {
  /** What the row of this id belongs to; undefined when there is none, or when the id is no UUID. */
  placeOf(table: TableName, id: string): Promise<Owner | undefined>;
}

/** SQL over the row `t`. */
interface OwnedThrough {
  /** The user's id. */
  readonly user?: string;
  /** The user's id is kept as text. */
  readonly user_as_text?: true;
  readonly organizations?: readonly {
    /** The organization's id, which may be null. */
    readonly id: string;
    /** The table that knows it, where the row itself does not, and how its rows are found. */
    readonly from?: string;
    readonly on?: string;
  }[];
}

/** Who owns an app that belongs to no organization. */
const personalOwner = "CASE WHEN a.organization_id IS NULL THEN a.owner_id END";
const ownerOfApp = `(SELECT ${personalOwner} FROM oauth_apps a WHERE a.id = t.app_id)`;

const itsOwn = { id: "t.organization_id" };
const itsApps = { id: "a.organization_id", from: "oauth_apps a", on: "a.id = t.app_id" };
const itsAccounts = {
  id: "s.organization_id",
  from: "service_accounts s",
  on: "s.id = t.service_account_id",
};

const ownership: Record<TableName, OwnedThrough> = {
  users: {
    user: "t.id",
    organizations: [{ id: "m.organization_id", from: "memberships m", on: "m.user_id = t.id" }],
  },
  organizations: { organizations: [{ id: "t.id" }] },
  memberships: { user: "t.user_id", organizations: [itsOwn] },
  oauth_accounts: { user: "t.user_id" },
  api_keys: { user: "t.user_id", organizations: [itsOwn] },
  oauth_apps: {
    user: "CASE WHEN t.organization_id IS NULL THEN t.owner_id END",
    organizations: [itsOwn],
  },
  oauth_app_secrets: { user: ownerOfApp, organizations: [itsApps] },
  oauth_tokens: { user: `COALESCE(t.user_id, ${ownerOfApp})`, organizations: [itsApps, itsAccounts] },
  oauth_auth_codes: { user: "t.user_id", organizations: [itsApps] },
  oauth_consents: { user: "t.user_id", organizations: [itsApps] },
  service_accounts: { organizations: [itsOwn] },
  service_account_key_pairs: { organizations: [itsAccounts] },
  sessions: { user: "t.user_id" },
  signing_keys: {},
  audit_events: {
    user: "CASE WHEN t.actor_kind = 'user' THEN t.actor_id END",
    user_as_text: true,
    organizations: [itsOwn],
  },
  refusals: { user: ownerOfApp, organizations: [itsApps] },
  invitations: { organizations: [itsOwn] },
  statistics: {},
  ephemera: {},
  manifest_records: {},
};

/**
 * Whether the row `t` belongs to one of these organizations or to this user. `LIMIT 1 OFFSET 0` is explained
 * in `standing.ts`.
 */
export function isOwnedBy(dialect: Dialect, table: TableName, of: Owner): RawBuilder<boolean> {
  const { user, user_as_text, organizations = [] } = ownership[table];
  const parts: RawBuilder<boolean>[] = [];
  if (user !== undefined && of.user_id !== null) {
    const kind = user_as_text ? "string" : "uuid";
    parts.push(sql<boolean>`${sql.raw(user)} = ${dialect.encode(kind, of.user_id)}`);
  }
  if (of.organization_ids.length > 0) {
    const ids = dialect.idsOf(sql`${dialect.encode("json", of.organization_ids)}`);
    for (const { id, from, on = "" } of organizations) {
      const among = sql<boolean>`${sql.raw(id)} IN (${ids})`;
      parts.push(
        from === undefined
          ? among
          : sql<boolean>`EXISTS (SELECT 1 FROM ${sql.raw(from)} WHERE ${sql.raw(on)} AND ${among} LIMIT 1 OFFSET 0)`,
      );
    }
  }
  return parts.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(parts, sql` OR `)})`;
}

interface FoundPlace {
  readonly its_user: unknown;
  readonly its_organization: unknown;
}

/** One row with the user, and one for each organization. */
function placeStatement(dialect: Dialect, table: TableName): Statement<FoundPlace> {
  const { user = "NULL", organizations = [] } = ownership[table];
  const row = (columns: string, from = "", on = "") =>
    sql`SELECT ${sql.raw(columns)} FROM ${sql.table(table)} t ${sql.raw(from === "" ? "" : `, ${from}`)}
      WHERE t.id = ${arg.uuid("id")} AND ${on === "" ? yes : sql.raw(on)}`;
  const rows = [
    row(`${user} AS its_user, NULL AS its_organization`),
    ...organizations.map(({ id, from, on }) => row(`NULL, ${id}`, from, on)),
  ];
  return statement<FoundPlace>(dialect, table, () => sql<FoundPlace>`${sql.join(rows, sql` UNION ALL `)}`);
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuid.test(text);
}

export function ownershipRules({ dialect, driver }: Database): OwnershipRules {
  const statements = new Map<TableName, Statement<FoundPlace>>();
  return {
    async placeOf(table, id) {
      if (!isUuid(id)) return undefined;
      const places = statements.get(table) ?? placeStatement(dialect, table);
      statements.set(table, places);
      const rows = await places.all(driver, { id });
      if (rows.length === 0) return undefined;
      const decoded = (name: keyof FoundPlace, kind: "uuid" | "string") =>
        rows.flatMap((row) => (row[name] === null ? [] : [dialect.decode(kind, row[name]) as string]));
      const [user_id = null] = decoded("its_user", ownership[table].user_as_text ? "string" : "uuid");
      return { organization_ids: [...new Set(decoded("its_organization", "uuid"))], user_id };
    },
  };
}
