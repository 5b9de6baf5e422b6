import type { Evidence } from "../../errors.ts";

export const evidenceKinds = [
  "redirect_uri",
  "code_redirect_uri",
  "post_logout_redirect_uri",
  "client_id",
  "client_id_differs",
  "client_document",
  "client_inactive",
  "client_authentication",
  "two_methods",
  "client_secret",
  "client_secret_expired",
  "client_secret_revoked",
  "authorization_header",
  "scope",
  "scope_of_user",
  "scope_lacking",
  "resource",
  "audience",
  "grant_type",
  "allowed_grants",
  "allowed_response_types",
  "one_of",
  "missing",
  "repeated",
  "malformed",
  "not_supported",
  "content_type",
  "method",
  "too_large",
  "pkce_required",
  "pkce_method",
  "pkce_challenge",
  "pkce_verifier",
  "length",
  "unknown_credential",
  "other_app",
  "already_used",
  "expired",
  "revoked",
  "ended",
  "user_inactive",
  "not_signed_in",
  "auth_age",
  "acr_not_held",
  "acr_unreachable",
  "other_user",
  "organization",
  "not_admitted",
  "consent",
  "denied",
  "consent_form",
  "pushed_request",
  "push_required",
  "foreign_form",
  "dead_link",
  "id_token_hint",
  "sign_in",
  "throttled",
  "upstream",
  "assertion",
  "assertion_key",
  "client_assertion",
  "client_assertion_key",
  "proof",
  "proof_address",
  "proof_clock_ahead",
  "proof_clock_behind",
  "proof_key",
] as const;

export type EvidenceKind = (typeof evidenceKinds)[number];

/** Codes that replace a received value that may not be shown or is not a string. */
export const evidenceFacts = [
  "app_inactive",
  "app_revoked",
  "organization_inactive",
  "unknown",
  "inactive",
  "ended",
  "user_ended",
  "session_ended",
  "consent_ended",
  "membership_ended",
  "app_ended",
  "service_account_ended",
  "key_pair_ended",
  "revoked",
  "expired",
  "begins_like_live",
  "begins_like_expired",
  "begins_like_revoked",
  "begins_like_none",
  "not_basic",
  "no_colon",
  "two_ways",
  "not_shaped",
  "not_issued",
  "another_app",
  "not_access_token",
  "absent",
  "not_asked_for",
  "differs",
  "percent_encoding",
  "nul",
  "not_utf8",
  "too_many",
  "ended_early",
  "characters",
  "unreadable",
  "other_session",
  "too_old",
  "answered",
  "foreign_or_old",
  "another_user",
  "not_ours",
  "unknown_user",
  "inactive_user",
  "wrong_password",
  "changed_meanwhile",
  "foreign_password_over",
  "passkey_refused",
  "not_a_jwt",
  "no_such_account",
  "no_such_key",
  "no_key_fits",
  "keys_unreachable",
  "unverified",
  "used",
] as const;

export type EvidenceFact = (typeof evidenceFacts)[number];

export type EvidenceOf<K extends EvidenceKind> = Evidence & { readonly kind: K };

type Value = string | readonly string[] | null | undefined;

/**
 * Returns evidence with the received value and the expected ones; null or undefined means none, or none that
 * may be shown. The code that stores evidence removes secrets and limits its size.
 */
export function evidence<K extends EvidenceKind>(
  kind: K,
  name: string,
  received?: Value,
  expected?: Value,
): readonly [EvidenceOf<K>] {
  return [{ kind, name, received: received ?? null, expected: expected ?? null }];
}

/** Returns evidence with a code from `evidenceFacts` instead of the received value. */
export function fact<K extends EvidenceKind>(
  kind: K,
  name: string,
  received: EvidenceFact,
  expected?: Value,
): readonly [EvidenceOf<K>] {
  return evidence(kind, name, received, expected);
}

/** Returns the whole seconds from one time to another, as a string. */
export function secondsBetween(from: Date, to: Date): string {
  return String(Math.floor((to.getTime() - from.getTime()) / 1000));
}
