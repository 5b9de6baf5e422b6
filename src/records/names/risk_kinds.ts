/** The kinds of risky settings of an app; `admin/reports/app_risks.ts` finds them. */

/** The severity: an open vulnerability, something to fix eventually, or something to know. */
export const riskLevels = ["danger", "caution", "hint"] as const;
export type RiskLevel = (typeof riskLevels)[number];

export const riskKinds = {
  app_revoked: { level: "hint", source: "specification § 2.6" },
  app_inactive: { level: "hint", source: "specification § 2.6" },
  owner_inactive: { level: "caution", source: "specification § 2.6" },
  organization_inactive: { level: "caution", source: "specification § 2.2" },

  http_redirect: { level: "danger", source: "RFC 9700 § 2.6" },
  wildcard_redirect: { level: "danger", source: "RFC 9700 § 4.1.3" },
  scheme_without_dot: { level: "danger", source: "RFC 8252 § 7.1" },
  private_scheme: { level: "hint", source: "RFC 8252 § 7.2" },
  localhost_redirect: { level: "caution", source: "RFC 8252 § 8.3" },
  localhost_any_port: { level: "caution", source: "RFC 8252 § 8.3" },
  development_redirect: { level: "hint", source: "RFC 9700 § 4.1" },
  redirect_with_query: { level: "hint", source: "RFC 9700 § 4.1.3" },
  shared_host_redirect: { level: "caution", source: "RFC 9700 § 4.1" },
  no_redirect_uris: { level: "caution", source: "RFC 6749 § 3.1.2.2" },
  unused_redirect_uris: { level: "hint", source: "RFC 9700 § 4.1" },
  http_post_logout: { level: "caution", source: "RP-Initiated Logout § 3.1" },

  profile_misfit: { level: "danger", source: "FAPI 2.0 § 5.3.2" },
  profile_overrules: { level: "hint", source: "FAPI 2.0 § 5.3.2" },
  unusable_keys: { level: "caution", source: "FAPI 2.0 § 5.4" },
  http_keys: { level: "danger", source: "RFC 7517 § 9" },
  keys_missing: { level: "danger", source: "RFC 7523 § 2.2" },
  keys_elsewhere: { level: "hint", source: "RFC 7591 § 5" },
  endpoint_as_audience: { level: "caution", source: "RFC 10070" },

  confidential_in_browser: { level: "danger", source: "OAuth 2.0 for Browser-Based Applications" },
  confidential_native: { level: "danger", source: "RFC 8252 § 8.5" },
  public_web: { level: "caution", source: "RFC 9700 § 2.5" },
  public_machine: { level: "danger", source: "RFC 6749 § 4.4" },
  pkce_not_required: { level: "hint", source: "RFC 9700 § 2.1.1" },
  mixed_grants: { level: "caution", source: "RFC 9700 § 4.15" },
  no_grants: { level: "hint", source: "specification § 2.6" },
  refresh_alone: { level: "hint", source: "RFC 6749 § 6" },
  public_without_rotation: { level: "danger", source: "RFC 9700 § 4.14.2" },
  rotation_off: { level: "caution", source: "RFC 9700 § 4.14.2" },
  strict_rotation: { level: "hint", source: "RFC 9700 § 4.14.2" },
  reuse_window: { level: "hint", source: "RFC 9700 § 4.14.2" },
  long_access_token: { level: "caution", source: "RFC 9700 § 2.2" },
  long_refresh_token: { level: "caution", source: "RFC 9700 § 4.14.2" },

  first_party_elsewhere: { level: "caution", source: "RFC 6749 § 10.2" },
  first_party_unassured: { level: "caution", source: "RFC 8252 § 8.6" },
  sign_in_unreachable: { level: "caution", source: "RFC 9470 § 4" },
  no_scopes: { level: "caution", source: "RFC 6749 § 3.3" },
  management_scopes: { level: "caution", source: "RFC 9700 § 2.3" },
  public_management: { level: "danger", source: "RFC 9700 § 2.3" },
  unknown_scopes: { level: "caution", source: "OpenID Connect Core § 3.1.2.1" },
  idle_scopes: { level: "caution", source: "OpenID Connect Core § 5.4" },
  introspection_scope: { level: "hint", source: "RFC 7662 § 4" },

  resource_unreadable: { level: "caution", source: "RFC 8707 § 2" },
  resource_not_absolute: { level: "caution", source: "RFC 8707 § 2" },
  http_resource: { level: "caution", source: "RFC 6750 § 5.3" },

  no_live_secret: { level: "caution", source: "RFC 6749 § 2.3" },
  many_secrets: { level: "caution", source: "RFC 6819 § 5.2.3.6" },
  old_secret: { level: "caution", source: "RFC 6819 § 5.2.3.6" },
  endless_secret: { level: "hint", source: "RFC 6819 § 5.2.3.6" },
  unused_secret: { level: "caution", source: "RFC 6819 § 5.2.3.6" },
  expiring_secret: { level: "caution", source: "specification § 2.7" },
} as const satisfies Record<string, { level: RiskLevel; source: string }>;

export type RiskKind = keyof typeof riskKinds;

/** Kinds whose `about` is a single number, which the sentence about the risk contains. */
export type FigureRisk =
  | "strict_rotation"
  | "reuse_window"
  | "long_access_token"
  | "long_refresh_token"
  | "many_secrets";

export interface Risk {
  readonly kind: RiskKind;
  readonly level: RiskLevel;
  readonly source: string;
  /**
   * What the risk concerns, such as URIs, scopes, prefixes of secrets, or a number of seconds. Empty for the
   * whole app.
   */
  readonly about: readonly string[];
}
