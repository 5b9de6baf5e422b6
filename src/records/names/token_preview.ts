/** The content of a token preview: the claims that the tokens would have, and why others are absent. */
import type { ClaimSurface } from "./names.ts";

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
  /** The scopes that release the claim, each on its own. */
  readonly scopes?: readonly string[];
  readonly value?: unknown;
  readonly absent?: Absence;
}

export interface TokenPreview {
  /** Scopes that the tokens would have. */
  readonly scopes: readonly string[];
  /** Requested scopes that the tokens would not have. */
  readonly refused_scopes: readonly string[];
  readonly audience: readonly string[];
  /** Surfaces that would not be issued, such as an ID token without the scope `openid`, are empty. */
  readonly claims: Readonly<Record<ClaimSurface, readonly PreviewedClaim[]>>;
}
