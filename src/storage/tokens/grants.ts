/**
 * Redeems authorization codes and refresh tokens: marks the code or token as used and stores the new token,
 * in one transaction. Only one of several concurrent requests succeeds.
 */
import { type Compilable, sql } from "kysely";
import type { OAuthToken, TableName } from "../../records/definition/definition.ts";
import { rowIsActive } from "../database/active_rows.ts";
import type { Database } from "../database/database.ts";
import type { Builder, Dialect } from "../database/dialect.ts";
import { lockStatement } from "../database/locks.ts";
import { type Arguments, arg, statement, yes } from "../database/statement.ts";
import { locksForIssue, tokenColumns, tokenValues } from "./families.ts";
import {
  appIsActive,
  consentIsActive,
  membershipIsActive,
  sessionIsActive,
  userIsActive,
} from "./grant_conditions.ts";

/**
 * `spent`: success. `already_used`: the code or token was used before. `ended`: it, or a record on which it
 * depends, has expired or was revoked.
 */
export type RedemptionOutcome = "spent" | "already_used" | "ended";

export interface RedeemCode {
  readonly code_id: string;
  readonly session_id: string;
  readonly token: OAuthToken & { user_id: string };
  readonly now: Date;
}

export interface RotateRefreshToken {
  readonly id: string;
  readonly replacement: OAuthToken & { user_id: string };
  readonly now: Date;
  /**
   * Until `ends_at`, repeated requests with the same refresh token get the same response (design 6.9). It is
   * stored encrypted with a key derived from that token.
   */
  readonly window?: {
    readonly ends_at: Date;
    /** When the previous access and refresh tokens expire, at the latest at `ends_at`. */
    readonly access_ends_at: Date;
    readonly refresh_ends_at: Date;
    readonly signature: Buffer;
    readonly answer: string;
  };
}

export interface RefreshWithoutRotation {
  readonly id: string;
  readonly addition: OAuthToken & { user_id: string };
  readonly now: Date;
}

const earlier = (column: string, name: string) =>
  sql<Date>`CASE WHEN ${sql.ref(column)} < ${arg.time(name)} THEN ${sql.ref(column)} ELSE ${arg.time(name)} END`;

export function grantRules(database: Database, newId: (now: Date) => string) {
  const { dialect } = database;

  const useCode = redeeming(database, "oauth_auth_codes", (query) =>
    query
      .updateTable("oauth_auth_codes")
      .set({ used: yes, used_at: arg.time("now") })
      .where("id", "=", arg.uuid("code_id"))
      .where(rowIsActive.code("oauth_auth_codes", arg.time("now")))
      .where(({ ref }) => appIsActive(ref("oauth_auth_codes.app_id"), ref("oauth_auth_codes.created_at")))
      .where(({ ref }) =>
        userIsActive(dialect, ref("oauth_auth_codes.user_id"), {
          app_id: ref("oauth_auth_codes.app_id"),
          family_id: ref("oauth_auth_codes.id"),
          made_at: ref("oauth_auth_codes.created_at"),
        }),
      )
      .where(({ ref }) => consentIsActive(ref("oauth_auth_codes.user_id"), ref("oauth_auth_codes.app_id")))
      .where(({ ref }) =>
        membershipIsActive(ref("oauth_auth_codes.membership_id"), ref("oauth_auth_codes.created_at")),
      )
      .where(sessionIsActive(arg.uuid("session_id"), arg.time("now"))),
  );

  const redeemable = (changes: "rotate" | "rotate_in_window" | "keep") => (query: Builder) =>
    query
      .updateTable("oauth_tokens")
      .set(
        changes === "keep"
          ? { last_used_at: arg.time("now") }
          : changes === "rotate"
            ? {
                rotated_at: arg.time("now"),
                revoked: yes,
                revoked_at: arg.time("now"),
                revoked_reason: arg.string("reason"),
              }
            : {
                rotated_at: arg.time("now"),
                // The previous tokens may have changed since they were read, so their life is never extended.
                access_expires_at: earlier("access_expires_at", "access_ends_at"),
                refresh_expires_at: earlier("refresh_expires_at", "refresh_ends_at"),
              },
      )
      .where("id", "=", arg.uuid("id"))
      .where(rowIsActive.refresh("oauth_tokens", arg.time("now")))
      .where(({ ref }) => appIsActive(ref("oauth_tokens.app_id"), ref("oauth_tokens.created_at")))
      .where(({ ref }) =>
        userIsActive(dialect, ref("oauth_tokens.user_id"), {
          app_id: ref("oauth_tokens.app_id"),
          family_id: ref("oauth_tokens.family_id"),
          session: { id: ref("oauth_tokens.session_id"), request_data: ref("oauth_tokens.request_data") },
          made_at: ref("oauth_tokens.created_at"),
        }),
      )
      .where(({ ref }) => consentIsActive(ref("oauth_tokens.user_id"), ref("oauth_tokens.app_id")))
      .where(({ ref }) =>
        membershipIsActive(ref("oauth_tokens.membership_id"), ref("oauth_tokens.created_at")),
      );
  const rotate = redeeming(database, "oauth_tokens", redeemable("rotate"));
  const keep = redeeming(database, "oauth_tokens", redeemable("keep"));
  const rotateInWindow = statement(dialect, "oauth_tokens", redeemable("rotate_in_window"));

  async function outcomeOfToken(id: string): Promise<RedemptionOutcome> {
    const token = await database.find("oauth_tokens", { id });
    return token?.rotated_at ? "already_used" : "ended";
  }

  async function rotateWithAnswer(
    { id, replacement, now }: RotateRefreshToken,
    window: NonNullable<RotateRefreshToken["window"]>,
  ): Promise<boolean> {
    return database.transaction(async (tx) => {
      await tx.lock(...locksForIssue(replacement));
      if ((await rotateInWindow.run(tx.connection, { ...window, id, now })) === 0) return false;
      await tx.insert("oauth_tokens", replacement);
      await tx.insert("ephemera", {
        id: newId(now),
        kind: "refresh_answer",
        key: window.signature,
        value: window.answer,
        expires_at: window.ends_at,
        created_at: now,
      });
      return true;
    });
  }

  return {
    async redeemCode({ code_id, session_id, token, now }: RedeemCode): Promise<RedemptionOutcome> {
      if (await useCode({ code_id, session_id, now }, token)) return "spent";
      const code = await database.find("oauth_auth_codes", { id: code_id });
      return code?.used === true ? "already_used" : "ended";
    },

    async rotateRefreshToken(rotation: RotateRefreshToken): Promise<RedemptionOutcome> {
      const { id, replacement, now, window } = rotation;
      const spent =
        window === undefined
          ? await rotate({ id, now, reason: "rotated" }, replacement)
          : await rotateWithAnswer(rotation, window);
      return spent ? "spent" : outcomeOfToken(id);
    },

    async refreshWithoutRotation({ id, addition, now }: RefreshWithoutRotation): Promise<RedemptionOutcome> {
      return (await keep({ id, now }, addition)) ? "spent" : outcomeOfToken(id);
    },
  };
}

type StoredToken = OAuthToken & { user_id: string };

interface Redeemer extends Compilable<unknown> {
  returning(expression: ReturnType<typeof marker>): Compilable<unknown>;
}

const marker = () => sql<number>`1`.as("one");

type Redeem = (args: Arguments, token: StoredToken) => Promise<boolean>;

function chained(dialect: Dialect, redeemer: (builder: Builder) => Redeemer) {
  const values = tokenValues(dialect);
  return statement(dialect, "oauth_tokens", (builder) =>
    builder
      .with("spent", () => redeemer(builder).returning(marker()) as never)
      .insertInto("oauth_tokens")
      .columns(tokenColumns as never)
      .expression((query) => query.selectFrom("spent" as never).select(values as never) as never),
  );
}

function redeeming(database: Database, table: TableName, redeemer: (builder: Builder) => Redeemer): Redeem {
  const { dialect, driver } = database;
  if (!dialect.chainsChanges) {
    const spend = statement(dialect, table, redeemer);
    return (args, token) =>
      database.transaction(async (tx) => {
        if ((await spend.run(tx.connection, args)) === 0) return false;
        await tx.insert("oauth_tokens", token);
        return true;
      });
  }
  const both = chained(dialect, redeemer);
  return async (args, token) => {
    const locks = lockStatement(dialect, locksForIssue(token));
    const store = both.prepare({ ...args, token });
    const counts = await driver.runBatch(locks === undefined ? [store] : [locks, store]);
    return counts.at(-1) === 1;
  };
}
