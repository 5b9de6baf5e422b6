/** The content of a preview of tokens: the claims that they would have, and why others are absent. */
import type { ClaimSurface } from "./names.ts";

/** Where a claim comes from. */
export const claimSources = ["protocol", "user", "membership", "attribute"] as const;
export type ClaimSource = (typeof claimSources)[number];

/** Why a claim is absent. */
export const absences = [
  ...["scope_not_requested", "scope_not_allowed", "not_in_claims_of_app", "not_in_claims_of_api"],
  ...["organization_mode_none", "no_organization", "value_empty", "too_large", "set_at_issue"],
] as const;
export type Absence =
  | ("scope_not_requested" | "scope_not_allowed" | "not_in_claims_of_app" | "not_in_claims_of_api")
  | ("organization_mode_none" | "no_organization" | "value_empty" | "too_large" | "set_at_issue");

/** A claim with its value, or the reason for its absence. */
export interface PreviewedClaim {
  readonly claim: string;
  readonly source: ClaimSource;
  /** The scopes that release it, each alone. */
  readonly scopes?: readonly string[];
  readonly value?: unknown;
  readonly absent?: Absence;
}

export interface TokenPreview {
  /** Those that the tokens would have. */
  readonly scopes: readonly string[];
  /** Requested ones that they would not have. */
  readonly refused_scopes: readonly string[];
  readonly audience: readonly string[];
  /** Surfaces that the tokens do not have, such as an ID token without the scope `openid`, are empty. */
  readonly claims: Readonly<Record<ClaimSurface, readonly PreviewedClaim[]>>;
}
