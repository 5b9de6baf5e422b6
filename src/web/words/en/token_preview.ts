import type { ClaimSurface } from "../../../records/names/names.ts";
import type { Absence, ClaimSource, TokenRefusal } from "../../../records/names/token_preview.ts";

type Of<Key extends string> = Readonly<Record<Key, string>>;

export const tokenPreviewWords = {
  title: "Preview tokens",
  lead: "See the claims that tokens would have now, and why others are absent. Nothing is issued.",
  notFound: "This does not exist, or you may not read it.",
  show: "Show claims",
  fields: {
    app: "App",
    user: "User",
    organization: "Organization",
    scope: "Scopes",
    resource: "APIs",
  } satisfies Of<string>,
  help: {
    app: "Its client ID, name or ID.",
    user: "An email address or ID. Leave it empty for a token that the app requests for itself.",
    organization: "A slug or ID, if the app's tokens are for an organization.",
    scope: "Separated by spaces. Leave it empty for all that the app may request.",
    resource: "Identifiers, separated by spaces.",
  },
  scopes: "Scopes of the tokens",
  refusedScopes: "Scopes that the tokens lack",
  audience: "Audience",
  none: "None",
  noToken:
    "None. An ID token and user information need a user and the scope openid; a token for an API gets no user information.",
  claim: "Claim",
  value: "Value",
  reason: "Reason",
  absent: "Absent",
  setAtIssue: "Set when the token is issued",
  surfaces: {
    id_token: "ID token",
    userinfo: "User information",
    access_token: "Access token",
    introspection: "Introspection",
  } satisfies Of<ClaimSurface> as Of<ClaimSurface>,
  sources: {
    protocol: "Part of every token",
    user: "Field of the user, released by",
    membership: "From the membership, released by",
    attribute: "An attribute, released by",
  } satisfies Of<ClaimSource> as Of<ClaimSource>,
  absences: {
    scope_not_requested: "The request names no scope that releases it:",
    scope_not_allowed: "The app may not request a scope that releases it:",
    not_in_claims_of_app: "The app's claims setting leaves it out here.",
    not_in_claims_of_api: "The claims setting of an API leaves it out here.",
    organization_mode_none: "The app's tokens are for no organization.",
    no_organization: "The token is for no organization.",
    value_empty: "The record has no value.",
    too_large: "The token would be too large. User information and introspection contain the claim.",
  } satisfies Of<Absence> as Of<Absence>,
  notIssued: {
    app_inactive: "No token is issued: the app is deactivated.",
    user_inactive: "No token is issued: the user is deactivated.",
    grant_not_allowed: "No token is issued: the app may not request one for itself. Name a user.",
    not_admitted: "No token is issued: the app does not let this user sign in.",
    app_role_lacking: "No token is issued: no app role of the user grants a requested scope.",
    organization_lacking:
      "No token is issued: the app requires an organization, and the user belongs to none.",
    not_member:
      "No token is issued (access_denied): the user is not a member of this organization, or you may not read the membership.",
    organization_not_chosen: "The user chooses an organization at sign-in. Name one of:",
  } satisfies Of<TokenRefusal> as Of<TokenRefusal>,
};

export type TokenPreviewWords = typeof tokenPreviewWords;
