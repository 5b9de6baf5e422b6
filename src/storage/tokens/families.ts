/**
 * Stores and revokes tokens by family: all tokens that come from one authorization. A lock prevents issuing a
 * token while its family is being revoked.
 */
import { type Expression, type RawBuilder, sql } from "kysely";
import { fieldsOf, type OAuthApp, type OAuthToken } from "../../records/definition/definition.ts";
import type { Kind } from "../../records/definition/field.ts";
import { appLock, familyLock, userLock } from "../../records/names/lock_names.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import { rowIsActive } from "../database/active_rows.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Builder, Dialect } from "../database/dialect.ts";
import type { PreparedStatement } from "../database/driver.ts";
import { jsonRows } from "../database/json_rows.ts";
import { type Lock, lockStatement } from "../database/locks.ts";
import { rowsOfBatch } from "../database/row_batches.ts";
import { type Arguments, arg, no, statement, yes } from "../database/statement.ts";
import type { endedGrantRules } from "./ended_grants.ts";
import type { endedTokenRules } from "./ended_tokens.ts";
import {
  appIsActive,
  clientKeysAreRegistered,
  keyPairIsActive,
  secretIsActive,
  serviceAccountIsActive,
} from "./grant_conditions.ts";

type EndedGrants = ReturnType<typeof endedGrantRules>;
type EndedTokens = ReturnType<typeof endedTokenRules>;

export function familyRules(
  database: Database,
  { endGrant, markSomeTokens }: Pick<EndedGrants, "endGrant"> & Pick<EndedTokens, "markSomeTokens">,
) {
  const { dialect, driver } = database;
  const inserts = machineTokenInserts(dialect);
  const revoke = statement(dialect, "oauth_tokens", (query) =>
    query
      .updateTable("oauth_tokens")
      .set({ revoked: yes, revoked_at: arg.time("now"), revoked_reason: arg.string("reason") })
      .where("family_id", "=", arg.uuid("family_id"))
      .where("user_id", "is not", null)
      .where("revoked", "=", no),
  );
  const longFamily = statement<{ user_id: string }>(
    dialect,
    "oauth_tokens",
    () => sql`SELECT user_id FROM oauth_tokens WHERE family_id = ${arg.uuid("family_id")} AND user_id IS NOT NULL
      ORDER BY id LIMIT 1 OFFSET ${sql.lit(rowsOfBatch)}`,
  );
  const accessEnded = (query: Builder) =>
    query
      .updateTable("oauth_tokens")
      .set({
        access_expires_at: arg.time("now"),
        revoked: sql<boolean>`(refresh_token_signature IS NULL)`,
        revoked_at: sql<Date>`CASE WHEN refresh_token_signature IS NULL THEN ${arg.time("now")} ELSE revoked_at END`,
        revoked_reason: sql<string>`CASE WHEN refresh_token_signature IS NULL THEN ${arg.string("reason")} ELSE revoked_reason END`,
      })
      .where(rowIsActive.access("oauth_tokens", arg.time("now")));
  const endAccess = statement(dialect, "oauth_tokens", (query) =>
    accessEnded(query).where("id", "=", arg.uuid("id")),
  );
  const endPresented = statement(dialect, "oauth_tokens", (query) =>
    accessEnded(query)
      .where("access_token_signature", "=", arg.signature("signature"))
      .where("app_id", "=", arg.uuid("app_id")),
  );
  return {
    /** Returns the number of revoked tokens; for long families, the number that `endGrant` returns. */
    async revokeFamily(family_id: string, reason: RevokedReason, now: Date): Promise<number> {
      const long = await longFamily.first(driver, { family_id });
      if (long !== undefined) {
        const { user_id } = long;
        const rows = await database.transaction(async (tx) => {
          await tx.lock(familyLock(family_id), userLock(user_id));
          return endGrant(tx, { grant: "family", user_id, id: family_id }, reason, now);
        });
        await markSomeTokens(family_id);
        return rows;
      }
      const lock = lockStatement(dialect, [familyLock(family_id)]);
      const change = revoke.prepare({ family_id, reason, now });
      const counts = await driver.runBatch(lock === undefined ? [change] : [lock, change]);
      return counts.at(-1) ?? 0;
    },
    /** The refresh token in the same row stays valid (design 6.10). */
    async endAccessToken(id: string, now: Date) {
      await driver.runBatch([endAccess.prepare({ id, now, reason: "revoked" })]);
    },
    /**
     * `signature` is the stored hash of the token. Returns false if the token is not active or not of the
     * app.
     */
    async endPresentedAccessToken(presented: {
      readonly signature: Buffer;
      readonly app_id: string;
      readonly now: Date;
    }): Promise<boolean> {
      const [ended] = await driver.runBatch([endPresented.prepare({ ...presented, reason: "revoked" })]);
      return ended === 1;
    },
    /** The signature is the stored hash of the token, which may be in any state. */
    findByAccessToken: (access_token_signature: Buffer): Promise<OAuthToken | undefined> =>
      database.find("oauth_tokens", { access_token_signature }),
    /** The signature is the stored hash of the token, which may be in any state. */
    findByRefreshToken: (refresh_token_signature: Buffer): Promise<OAuthToken | undefined> =>
      database.find("oauth_tokens", { refresh_token_signature }),
    /**
     * Returns false, without storing the token, if the app, the service account or the credential is not
     * active in the database.
     */
    async insertToken(
      token: OAuthToken,
      proof: MachineProof = { type: "none" },
      tx?: Transaction,
    ): Promise<boolean> {
      const insert = inserts(token, proof);
      const count =
        tx === undefined
          ? (await driver.runBatch([insert]))[0]
          : await tx.connection.run(insert.sql, insert.parameters);
      return count === 1;
    },
  };
}

export type FamilyRules = ReturnType<typeof familyRules>;

/** Returns the locks for adding this token to its family. */
export function locksForIssue(token: OAuthToken & { user_id: string }): readonly Lock[] {
  return [
    familyLock(token.family_id),
    { shared: userLock(token.user_id) },
    { shared: appLock(token.app_id) },
  ];
}

export const tokenColumns = Object.keys(fieldsOf("oauth_tokens"));

/** Returns SQL values of a token row from the argument `token`, in the order of `tokenColumns`. */
export function tokenValues({ columnType }: Dialect) {
  return tokenColumns.map((name) => {
    const { kind } = fieldsOf("oauth_tokens")[name] ?? { kind: "text" as const };
    return sql`CAST(${arg.of(kind, name, "token")} AS ${sql.raw(columnType[kind])})`.as(name);
  });
}

/** The credential must still be active when the token is stored. */
export type MachineProof =
  | { readonly type: "none" }
  | { readonly type: "secret"; readonly secret_id: string }
  | ({ readonly type: "client_key" } & Pick<OAuthApp, "jwks" | "jwks_uri">)
  | { readonly type: "key_pair"; readonly key_pair_id: string };

const proofKinds: Readonly<Record<MachineProof["type"], Readonly<Record<string, Kind>>>> = {
  none: {},
  secret: { proof_id: "uuid" },
  client_key: { jwks: "json", jwks_uri: "string" },
  key_pair: { proof_id: "uuid" },
};

type Given = <T>(kind: Kind, name: string) => Expression<T>;

function conditionsOf(type: MachineProof["type"], given: Given): RawBuilder<unknown> {
  const made_at = given<Date>("time", "created_at");
  const app_id = given<string>("uuid", "app_id");
  const conditions = {
    none: () => [],
    secret: () => [secretIsActive(given("uuid", "proof_id"), made_at)],
    client_key: () => [clientKeysAreRegistered(app_id, given("json", "jwks"), given("string", "jwks_uri"))],
    key_pair: () => [
      serviceAccountIsActive(given("uuid", "service_account_id"), made_at),
      keyPairIsActive(given("uuid", "proof_id"), made_at),
    ],
  };
  return sql.join([appIsActive(app_id, made_at), ...conditions[type]()], sql` AND `);
}

function machineTokenInserts(
  dialect: Dialect,
): (token: OAuthToken, proof: MachineProof) => PreparedStatement {
  const inserts = {
    none: machineTokenInsert(dialect, "none"),
    secret: machineTokenInsert(dialect, "secret"),
    client_key: machineTokenInsert(dialect, "client_key"),
    key_pair: machineTokenInsert(dialect, "key_pair"),
  };
  return (token, proof) => inserts[proof.type](token, proofArguments(proof));
}

type MachineTokenInsert = (token: OAuthToken, proof: Arguments) => PreparedStatement;

function machineTokenInsert(dialect: Dialect, type: MachineProof["type"]): MachineTokenInsert {
  if (dialect.mergesRows) return machineTokenRow(dialect, type);
  const given: Given = (kind, name) => arg.of(kind, name, name in proofKinds[type] ? undefined : "token");
  const insert = statement(dialect, "oauth_tokens", (builder) =>
    builder
      .insertInto("oauth_tokens")
      .columns(tokenColumns as never)
      .expression(sql`SELECT ${sql.join(tokenValues(dialect))} WHERE ${conditionsOf(type, given)}` as never),
  );
  return (token, proof) => insert.prepare({ token, ...proof });
}

function machineTokenRow(dialect: Dialect, type: MachineProof["type"]): MachineTokenInsert {
  const { columns, rows, encode } = jsonRows(dialect, "oauth_tokens", proofKinds[type]);
  const given: Given = (_kind, name) => sql.ref(`token.${name}`);
  const insert = statement(
    dialect,
    "oauth_tokens",
    () => sql`INSERT INTO oauth_tokens (${columns})
      SELECT ${columns} FROM (${rows}) AS token WHERE ${conditionsOf(type, given)} RETURNING id`,
  );
  return (token, proof) => ({
    ...insert.prepare({ rows: [encode({ ...token, ...proof })] }),
    row_id: token.id,
  });
}

function proofArguments(proof: MachineProof): Arguments {
  switch (proof.type) {
    case "none":
      return {};
    case "secret":
      return { proof_id: proof.secret_id };
    case "client_key":
      return { jwks: proof.jwks, jwks_uri: proof.jwks_uri };
    case "key_pair":
      return { proof_id: proof.key_pair_id };
    default:
      return proof satisfies never;
  }
}
