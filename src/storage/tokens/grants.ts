/**
 * Spending an authorization code or a refresh token: one conditional update with the row of the new token
 * beside it. The database is the referee; the verdict has a name.
 */
import { sql } from "kysely";
import type { OAuthToken } from "../../records/definition/definition.ts";
import { rowIsActive } from "../active_rows.ts";
import type { Database } from "../database.ts";
import type { Builder } from "../dialect.ts";
import { arg, statement, yes } from "../statement.ts";
import { locksForIssue } from "./families.ts";
import { appIsActive, consentIsActive, sessionIsActive, userIsActive } from "./grant_conditions.ts";
import { spending } from "./spending.ts";

/** `already_used`: a replay. `ended`: expired, revoked, or something it depends on has ended. */
export type Verdict = "spent" | "already_used" | "ended";

export interface RedeemCode {
  readonly code_id: string;
  /** The session in which the code was made; it must still stand. */
  readonly session_id: string;
  /** The row of the token that the code buys; its family is the code's id. */
  readonly token: OAuthToken & { user_id: string };
  readonly now: Date;
}

export interface RotateRefreshToken {
  readonly id: string;
  readonly replacement: OAuthToken & { user_id: string };
  readonly now: Date;
  /**
   * Idempotent rotation (design 6.9): until `ends_at` the predecessor's access token lives on, and presenting
   * the spent refresh token is answered with `answer`, sealed under that very token.
   */
  readonly window?: {
    readonly ends_at: Date;
    /** What is left of the predecessor's two halves: none beyond `ends_at`. */
    readonly access_ends_at: Date;
    readonly refresh_ends_at: Date;
    /** The signature of the refresh token that is being spent. */
    readonly signature: Buffer;
    readonly answer: string;
  };
}

export interface RefreshWithoutRotation {
  readonly id: string;
  /** A row of the same family without a refresh half. */
  readonly addition: OAuthToken & { user_id: string };
  readonly now: Date;
}

const earlier = (column: string, name: string) =>
  sql<Date>`CASE WHEN ${sql.ref(column)} < ${arg.time(name)} THEN ${sql.ref(column)} ELSE ${arg.time(name)} END`;

export function grantRules(database: Database, newId: (now: Date) => string) {
  const { dialect } = database;

  const useCode = spending(database, "oauth_auth_codes", (query) =>
    query
      .updateTable("oauth_auth_codes")
      .set({ used: yes, used_at: arg.time("now") })
      .where("id", "=", arg.uuid("code_id"))
      .where(rowIsActive.code("oauth_auth_codes", arg.time("now")))
      .where(({ ref }) => appIsActive(ref("oauth_auth_codes.app_id"), ref("oauth_auth_codes.created_at")))
      .where(({ ref }) => userIsActive(ref("oauth_auth_codes.user_id"), ref("oauth_auth_codes.created_at")))
      .where(({ ref }) => consentIsActive(ref("oauth_auth_codes.user_id"), ref("oauth_auth_codes.app_id")))
      .where(sessionIsActive(arg.uuid("session_id"), arg.time("now"))),
  );

  const spendable = (changes: "rotate" | "rotate_in_window" | "keep") => (query: Builder) =>
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
                // Never later than it was: a half may have been ended since the caller read the row.
                access_expires_at: earlier("access_expires_at", "access_ends_at"),
                refresh_expires_at: earlier("refresh_expires_at", "refresh_ends_at"),
              },
      )
      .where("id", "=", arg.uuid("id"))
      .where(rowIsActive.refresh("oauth_tokens", arg.time("now")))
      .where(({ ref }) => appIsActive(ref("oauth_tokens.app_id"), ref("oauth_tokens.created_at")))
      .where(({ ref }) => userIsActive(ref("oauth_tokens.user_id"), ref("oauth_tokens.created_at")))
      .where(({ ref }) => consentIsActive(ref("oauth_tokens.user_id"), ref("oauth_tokens.app_id")));
  const rotate = spending(database, "oauth_tokens", spendable("rotate"));
  const keep = spending(database, "oauth_tokens", spendable("keep"));
  const rotateInWindow = statement(dialect, "oauth_tokens", spendable("rotate_in_window"));

  /** Why a refresh token could not be spent. */
  async function verdictOnToken(id: string): Promise<Verdict> {
    const token = await database.find("oauth_tokens", { id });
    return token?.rotated_at ? "already_used" : "ended";
  }

  /** With the answer to give again beside it. */
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
    async redeemCode({ code_id, session_id, token, now }: RedeemCode): Promise<Verdict> {
      if (await useCode({ code_id, session_id, now }, token)) return "spent";
      const code = await database.find("oauth_auth_codes", { id: code_id });
      return code?.used === true ? "already_used" : "ended";
    },

    async rotateRefreshToken(rotation: RotateRefreshToken): Promise<Verdict> {
      const { id, replacement, now, window } = rotation;
      const spent =
        window === undefined
          ? await rotate({ id, now, reason: "rotated" }, replacement)
          : await rotateWithAnswer(rotation, window);
      return spent ? "spent" : verdictOnToken(id);
    },

    async refreshWithoutRotation({ id, addition, now }: RefreshWithoutRotation): Promise<Verdict> {
      return (await keep({ id, now }, addition)) ? "spent" : verdictOnToken(id);
    },
  };
}
