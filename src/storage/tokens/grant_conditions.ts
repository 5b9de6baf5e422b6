/**
 * Checks whether each record that a grant depends on is still active, in the statement that redeems the
 * grant. A record may have ended since the request was read (A-30, T-16, R-10).
 *
 * `LIMIT 1 OFFSET 0` does not change the result. It prevents PostgreSQL from turning the subquery into a
 * join, which it might start from the users table. Where most tokens have no user, PostgreSQL underestimates
 * the tokens of each user, and would read all tokens of the user.
 */
import { type Expression, sql } from "kysely";
import { rowIsActive } from "../database/active_rows.ts";
import type { Dialect } from "../database/dialect.ts";
import { type GivenColumns, isGiven } from "./ended_grants.ts";

/** True if the app and its organization are active and have not ended since the grant was made. */
export function appIsActive(app_id: Expression<string>, made_at: Expression<Date>) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM oauth_apps a LEFT JOIN organizations o ON o.id = a.organization_id
    WHERE a.id = ${app_id} AND ${rowIsActive.appSince("a", made_at)}
      AND (o.id IS NULL OR (${rowIsActive.since("o", made_at)}))
    LIMIT 1 OFFSET 0
  )`;
}

/** True if the user is active, and neither the user nor this grant has ended since the grant was made. */
export function userIsActive(
  dialect: Dialect,
  user_id: Expression<string | null>,
  input: GivenColumns & { readonly made_at: Expression<Date> },
) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM users u
    WHERE u.id = ${user_id} AND ${rowIsActive.since("u", input.made_at)} AND ${isGiven(dialect, input)}
    LIMIT 1 OFFSET 0
  )`;
}

/**
 * True if the grant has no organization, or if the user is still a member. The organization must be active,
 * and must not have ended since the grant was made.
 */
export function membershipIsActive(membership_id: Expression<string | null>, made_at: Expression<Date>) {
  return sql<boolean>`(${membership_id} IS NULL OR EXISTS (
    SELECT 1 FROM memberships n JOIN organizations o ON o.id = n.organization_id
    WHERE n.id = ${membership_id} AND ${rowIsActive.since("o", made_at)}
    LIMIT 1 OFFSET 0
  ))`;
}

/** True if the app needs no consent or the user's consent is active. */
export function consentIsActive(user_id: Expression<string | null>, app_id: Expression<string>) {
  return sql<boolean>`(
    EXISTS (SELECT 1 FROM oauth_apps f WHERE f.id = ${app_id} AND f.first_party LIMIT 1 OFFSET 0)
    OR EXISTS (
      SELECT 1 FROM oauth_consents c
      WHERE c.user_id = ${user_id} AND c.app_id = ${app_id} AND ${rowIsActive.consent("c")}
      LIMIT 1 OFFSET 0
    )
  )`;
}

/**
 * True if the session has not been ended and `expires_at` has not passed. Its idle timeout does not count.
 */
export function sessionIsActive(session_id: Expression<string>, now: Expression<Date>) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM sessions s WHERE s.id = ${session_id} AND ${rowIsActive.idleSession("s", now)}
    LIMIT 1 OFFSET 0
  )`;
}

/**
 * True if the service account and its organization are active and have not ended since the grant was made.
 */
export function serviceAccountIsActive(service_account_id: Expression<string>, made_at: Expression<Date>) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM service_accounts m LEFT JOIN organizations o ON o.id = m.organization_id
    WHERE m.id = ${service_account_id} AND ${rowIsActive.since("m", made_at)}
      AND (o.id IS NULL OR (${rowIsActive.since("o", made_at)}))
    LIMIT 1 OFFSET 0
  )`;
}

export function keyPairIsActive(id: Expression<string>, now: Expression<Date>) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM service_account_key_pairs k
    WHERE k.id = ${id} AND ${rowIsActive.keyPair("k", now)}
    LIMIT 1 OFFSET 0
  )`;
}

export function secretIsActive(id: Expression<string>, now: Expression<Date>) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM oauth_app_secrets s
    WHERE s.id = ${id} AND ${rowIsActive.credential("s", now)}
    LIMIT 1 OFFSET 0
  )`;
}

/**
 * True if the app still uses `private_key_jwt`, with the same registered keys as when the request was read.
 */
export function clientKeysAreRegistered(
  app_id: Expression<string>,
  jwks: Expression<unknown>,
  jwks_uri: Expression<string>,
) {
  return sql<boolean>`EXISTS (
    SELECT 1 FROM oauth_apps k
    WHERE k.id = ${app_id} AND k.token_endpoint_auth_method = 'private_key_jwt'
      AND k.jwks IS NOT DISTINCT FROM ${jwks} AND k.jwks_uri IS NOT DISTINCT FROM ${jwks_uri}
    LIMIT 1 OFFSET 0
  )`;
}
