/** Words of the members of open objects that have fields of their own (`records/formats/known_members.ts`). */
import type { SignUpPolicy } from "../../../records/names/names.ts";

export type MemberValues = {
  readonly "settings.sign_up.policy": Readonly<Record<SignUpPolicy, string>>;
};

export const memberLabels = {
  "settings.brand.name": "Name on sign-in pages",
  "settings.brand.accent": "Colour",
  "settings.brand.logo_url": "Logo on sign-in pages",
  "settings.sign_up.policy": "Who may register",
  "settings.sign_up.domains": "E-mail domains that may register",
  "settings.audience": "Audience of tokens",
  "metadata.client_uri": "Website",
  "metadata.policy_uri": "Privacy policy",
  "metadata.tos_uri": "Terms of service",
  "metadata.scope_descriptions": "Descriptions of scopes",
  "metadata.refresh_reuse_window": "Repeat window of refresh tokens",
  "settings.team_id": "Team ID",
  "settings.key_id": "Key ID",
  "settings.claim_names.subject": "Claim of the identifier",
  "settings.claim_names.email": "Claim of the e-mail",
  "settings.claim_names.email_verified": "Claim of the verified e-mail",
  "settings.claim_names.name": "Claim of the name",
  "settings.claim_names.picture": "Claim of the picture",
  "settings.revocation_endpoint": "Revocation endpoint",
  "settings.pkce": "Use PKCE",
};

export const memberHelp = {
  "settings.brand.name": "Leave empty for the name of the organization.",
  "settings.brand.accent":
    "Such as #0e6655, for buttons and links. Where it is hard to read, a darker or lighter one replaces it.",
  "settings.brand.logo_url":
    "An https address, or a small picture as a data: address. Leave empty for the logo of the organization.",
  "settings.sign_up.policy": "For apps of the organization. Leave it open for the rule of the server.",
  "settings.sign_up.domains": "One per line, such as example.com.",
  "settings.audience": "For tokens that are asked for without an API. Leave empty for one of its own.",
  "metadata.client_uri": "An https address. The consent page links it.",
  "metadata.policy_uri": "An https address. The consent page links it.",
  "metadata.tos_uri": "An https address. The consent page links it.",
  "metadata.scope_descriptions":
    "One per line, behind an equals sign: orders:read = See your orders. Descriptions in other languages stay.",
  "metadata.refresh_reuse_window":
    "At most 60 seconds: a repeated request gets the same answer, and the earlier access token lives as long. 0 ends both at once; leave empty for the server's setting.",
  "settings.claim_names.subject": "One that the provider never changes and never gives to somebody else.",
};

export const memberValues: MemberValues = {
  "settings.sign_up.policy": {
    closed: "Nobody",
    invited: "People who were invited",
    domains: "People of the e-mail domains",
    open: "Anybody",
  },
};
