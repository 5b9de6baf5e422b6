/**
 * Ends the tokens of a user's grant. A few tokens are revoked at once. Many are invalidated by an entry in
 * the user's record, and then revoked in batches (docs/decisions/tokens.md).
 */
import { type Expression, sql } from "kysely";
import { endedGrantName, endOfGrant } from "../../records/names/liveness.ts";
import type { RevokedReason } from "../../records/names/names.ts";
import type { Database, Transaction } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { rowsOfBatch } from "../database/row_batches.ts";
import { arg, no, statement, yes } from "../database/statement.ts";
import { branchesOf, type EndableGrant, type Grant, notOffline } from "./ended_branches.ts";
import type { endedTokenRules } from "./ended_tokens.ts";

/** `session` applies only to tokens; codes use `sessionIsActive`. */
export interface GivenColumns {
  readonly app_id: Expression<unknown>;
  readonly family_id: Expression<unknown>;
  readonly session?: Readonly<Record<"id" | "request_data", Expression<unknown>>>;
  readonly made_at: Expression<unknown>;
}

/** Returns the SQL condition that user `u` has not ended the grant, the negation of `isEndedGrant`. */
export function isGiven(dialect: Dialect, { app_id, family_id, session, made_at }: GivenColumns) {
  const isSqlite = dialect.name === "sqlite";
  const named = (id: Expression<unknown>) =>
    isSqlite ? sql`lower(hex(${id}))` : sql`replace(CAST(${id} AS text), '-', '')`;
  const covers = (name: Expression<unknown>) =>
    isSqlite
      ? sql`coalesce(json_extract(u.ended_grants, '$."' || ${name} || '"') >= ${made_at}, false)`
      : sql`coalesce(CAST(u.ended_grants ->> ${name} AS bigint) >= round(extract(epoch FROM ${made_at}) * 1000), false)`;
  const ended = [covers(named(app_id)), covers(named(family_id))];
  if (session !== undefined) {
    const ends = notOffline(dialect, session.request_data);
    ended.push(sql`(${covers(sql`replace(${session.id}, '-', '')`)} AND ${ends})`);
  }
  return sql<boolean>`(u.ended_grants IS NULL OR NOT (${sql.join(ended, sql` OR `)}))`;
}

export function endedGrantRules(
  { dialect }: Pick<Database, "dialect">,
  { storeEndedGrant }: Pick<ReturnType<typeof endedTokenRules>, "storeEndedGrant">,
) {
  const branches = branchesOf(dialect);
  const statementsOf = (grant: EndableGrant) => {
    const fits = branches[grant][0]?.tokens ?? no;
    return {
      count: statement<{ rows: number }>(
        dialect,
        "oauth_tokens",
        () => sql`SELECT count(*) AS rows FROM (SELECT id FROM oauth_tokens WHERE ${fits}
          LIMIT ${sql.lit(rowsOfBatch + 1)}) AS counted`,
      ),
      newest: statement<{ created_at: Date }>(
        dialect,
        "oauth_tokens",
        () => sql`SELECT created_at FROM oauth_tokens WHERE ${fits} ORDER BY id DESC LIMIT 1`,
      ),
      end: statement(
        dialect,
        "oauth_tokens",
        () => sql`UPDATE oauth_tokens
          SET revoked = ${yes}, revoked_at = ${arg.time("now")}, revoked_reason = ${arg.string("reason")}
          WHERE ${fits} AND revoked = ${no}`,
      ),
    };
  };
  const statements = {
    app: statementsOf("app"),
    family: statementsOf("family"),
    session: statementsOf("session"),
    membership: statementsOf("membership"),
  } satisfies Record<EndableGrant, unknown>;

  return {
    /**
     * Call it in a transaction that holds the user's lock. Returns the number of revoked tokens or, if the
     * grant has more tokens than a batch, one more than a batch.
     */
    async endGrant(tx: Transaction, grant: Grant, reason: RevokedReason, now: Date): Promise<number> {
      const { count, newest, end } = statements[grant.grant];
      const { user_id, id: through } = grant;
      const of = { id: user_id, through };
      const rows = Number((await count.first(tx.connection, of))?.rows ?? 0);
      if (rows <= rowsOfBatch) return end.run(tx.connection, { ...of, now, reason });
      const user = await tx.find("users", { id: user_id });
      if (user === undefined) return 0;
      // The time of the newest token is later if another clock is ahead.
      const moments = [now, (await newest.first(tx.connection, of))?.created_at, endOfGrant(user, through)];
      const up_to = new Date(Math.max(...moments.map((moment) => moment?.getTime() ?? 0)));
      const ended_grants = { ...user.ended_grants, [endedGrantName(through)]: up_to.getTime() };
      await tx.update("users", { id: user_id }, { ended_grants });
      await storeEndedGrant(tx, grant, reason, now, up_to);
      return rows;
    },
  };
}
