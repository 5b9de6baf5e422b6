/** The content of a token preview: the claims that the tokens would have, and why others are absent. */
import type { ClaimSurface } from "./names.ts";

export const claimSources = ["protocol", "user", "membership", "attribute"] as const;
export type ClaimSource = (typeof claimSources)[number];

export const absences = [
  ...["scope_not_requested", "scope_not_allowed", "not_in_claims_of_app", "not_in_claims_of_api"],
  ...["organization_mode_none", "no_organization", "value_empty", "too_large"],
] as const;
export type Absence =
  | ("scope_not_requested" | "scope_not_allowed" | "not_in_claims_of_app" | "not_in_claims_of_api")
  | ("organization_mode_none" | "no_organization" | "value_empty" | "too_large");

export const tokenRefusals = [
  ...["app_inactive", "user_inactive", "grant_not_allowed", "not_admitted", "app_role_lacking"],
  ...["organization_lacking", "not_member", "organization_not_chosen"],
] as const;
export type TokenRefusal =
  | ("app_inactive" | "user_inactive" | "grant_not_allowed" | "not_admitted" | "app_role_lacking")
  | ("organization_lacking" | "not_member" | "organization_not_chosen");

export interface PreviewedClaim {
  readonly claim: string;
  readonly source: ClaimSource;
  readonly scopes?: readonly string[];
  readonly value?: unknown;
  readonly absent?: Absence;
  /** The claim has no value yet: the time of issue or the sign-in decides it. */
  readonly set_at_issue?: true;
}

export interface TokenPreview {
  readonly scopes: readonly string[];
  readonly refused_scopes: readonly string[];
  readonly audience: readonly string[];
  /** Present if the request would get no token; `claims` are then empty. */
  readonly not_issued?: TokenRefusal;
  /** With `organization_not_chosen`, the slugs of the organizations that the user can choose. */
  readonly organizations?: readonly string[];
  /** Surfaces that would not be issued, such as an ID token without the scope `openid`, are empty. */
  readonly claims: Readonly<Record<ClaimSurface, readonly PreviewedClaim[]>>;
}
