/** Describes how the tokens of an ended record are found in batches, by an index. */
import { type Expression, type RawBuilder, sql } from "kysely";
import type { TokenCarrier } from "../../records/definition/token_carriers.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { Dialect } from "../database/dialect.ts";
import { arg } from "../database/statement.ts";

/** Groups of a user's tokens that can end separately (`records/names/liveness.ts`). */
export type EndableGrant = "app" | "family" | "session" | "membership";
export type Ended = TokenCarrier | EndableGrant;

/** Returns whether an index on the user's tokens finds the tokens of the grant. */
export const isFoundByUser = (grant: Ended): boolean => grant === "app" || grant === "membership";

export interface Grant {
  readonly grant: EndableGrant;
  readonly user_id: string;
  readonly id: string;
}

/** Grants have several reasons, so they are not included. */
export const reasonOf = {
  users: "user_disabled",
  organizations: "organization_disabled",
  oauth_apps: "app_disabled",
  service_accounts: "service_account_disabled",
} as const satisfies Record<TokenCarrier, RevokedReason>;

/** A part of the tokens of an ended record that an index finds in the order of IDs. */
export interface Branch {
  /**
   * If absent, the ended record itself is the only one that leads to tokens. Otherwise selects the next
   * record after the ID `behind`.
   */
  readonly next?: RawBuilder<unknown>;
  readonly tokens: RawBuilder<boolean>;
  /**
   * PostgreSQL has no index with these tokens in the order of IDs, because it would take 60 bytes per token.
   * One statement therefore changes all of them.
   */
  readonly unordered_on?: "postgres";
}

const ofApp = sql<boolean>`app_id = ${arg.uuid("through")}`;
const ofServiceAccount = sql<boolean>`service_account_id = ${arg.uuid("through")}`;

/**
 * Returns the condition for tokens that end with their session: those without the scope `offline_access`
 * (design 6.8).
 */
export const notOffline = (dialect: Dialect, request_data: Expression<unknown>): RawBuilder<boolean> => {
  const offline = sql.lit(" offline_access ");
  return dialect.name === "sqlite"
    ? sql`instr(' ' || coalesce(json_extract(${request_data}, '$.scope'), '') || ' ', ${offline}) = 0`
    : sql`strpos(' ' || coalesce(CAST(${request_data} AS json) ->> 'scope', '') || ' ', ${offline}) = 0`;
};

/** Returns the condition for tokens with a scope outside `scopes`, or whose refresh could grant one. */
export const reachesBeyond = ({ name }: Dialect): RawBuilder<boolean> =>
  name === "sqlite"
    ? sql`EXISTS (
        SELECT value FROM json_each(scopes) UNION ALL
        SELECT value FROM json_each('["' || replace(coalesce(json_extract(request_data, '$.scope'), ''), ' ', '","') || '"]')
        WHERE value <> ''
        EXCEPT SELECT value FROM json_each(${arg.json("scopes")}))`
    : sql`NOT (scopes <@ ${arg.json("scopes")} AND to_jsonb(array_remove(string_to_array(
        coalesce(CAST(request_data AS json) ->> 'scope', ''), ' '), '')) <@ ${arg.json("scopes")})`;

export const branchesOf = (dialect: Dialect): Readonly<Record<Ended, readonly Branch[]>> => ({
  oauth_apps: [{ tokens: ofApp }],
  service_accounts: [{ tokens: ofServiceAccount }],
  organizations: [
    {
      next: sql`SELECT id FROM oauth_apps
        WHERE organization_id = ${arg.uuid("id")} AND id > ${arg.uuid("behind")} ORDER BY id LIMIT 1`,
      tokens: ofApp,
    },
    {
      next: sql`SELECT id FROM service_accounts
        WHERE organization_id = ${arg.uuid("id")} AND id > ${arg.uuid("behind")} ORDER BY id LIMIT 1`,
      tokens: ofServiceAccount,
    },
  ],
  users: [
    {
      next: sql`SELECT app_id AS id FROM oauth_tokens
        WHERE user_id = ${arg.uuid("id")} AND app_id > ${arg.uuid("behind")} ORDER BY app_id LIMIT 1`,
      tokens: sql<boolean>`user_id = ${arg.uuid("id")} AND app_id = ${arg.uuid("through")}`,
      unordered_on: "postgres",
    },
  ],
  app: [
    {
      tokens: sql`user_id = ${arg.uuid("id")} AND app_id = ${arg.uuid("through")}`,
      unordered_on: "postgres",
    },
  ],
  membership: [
    {
      tokens: sql`user_id = ${arg.uuid("id")} AND membership_id = ${arg.uuid("through")}`,
      unordered_on: "postgres",
    },
  ],
  family: [{ tokens: sql`family_id = ${arg.uuid("through")} AND user_id IS NOT NULL` }],
  session: [
    {
      tokens: sql`session_id = ${arg.string("through")} AND ${notOffline(dialect, sql.ref("request_data"))}`,
      unordered_on: "postgres",
    },
  ],
});

export interface Position {
  readonly branch: number;
  readonly through: string | null;
  readonly after: string;
}

/**
 * The content of the row in `ephemera` that tracks the revocation of an ended record's tokens. Times are in
 * Unix milliseconds.
 *
 * @public The type declarations of the published packages contain it.
 */
export interface EndedRecord extends Position {
  readonly table: Ended;
  readonly id: string;
  readonly at: number;
  readonly up_to: number;
  readonly key_pair_id?: string;
  readonly user_id?: string;
  readonly reason?: RevokedReason;
  readonly narrowed?: true;
}
