/**
 * Labels of searchable attributes, and of fields inside JSON objects that have their own inputs
 * (`records/formats/known_members.ts`).
 */
import type { SignUpPolicy } from "../../../records/names/names.ts";

export type MemberValues = {
  readonly "settings.sign_up.policy": Readonly<Record<SignUpPolicy, string>>;
};

export const memberLabels = {
  "settings.brand.name": "Name on sign-in pages",
  "settings.brand.accent": "Color",
  "settings.brand.logo_url": "Logo on sign-in pages",
  "settings.sign_up.policy": "Who may register",
  "settings.sign_up.domains": "Email domains that may register",
  "settings.audience": "Audience of tokens",
  "settings.session.max_age": "Longest session",
  "settings.session.idle": "Longest time without use",
  "settings.session.remember": "Members may stay signed in",
  "metadata.client_uri": "Website",
  "metadata.policy_uri": "Privacy policy",
  "metadata.tos_uri": "Terms of service",
  "metadata.scope_descriptions": "Scope descriptions",
  "metadata.refresh_reuse_window": "Reuse window of refresh tokens",
  "settings.team_id": "Team ID",
  "settings.key_id": "Key ID",
  "settings.claim_names.subject": "Identifier claim",
  "settings.claim_names.email": "Email claim",
  "settings.claim_names.email_verified": "Verified email claim",
  "settings.claim_names.name": "Name claim",
  "settings.claim_names.picture": "Picture claim",
  "settings.revocation_endpoint": "Revocation endpoint",
  "settings.pkce": "Use PKCE",
  attribute: "Attribute",
  searchable: "Searchable",
};

export const memberHelp = {
  "settings.brand.name": "Leave empty for the name of the organization.",
  "settings.brand.accent":
    "For buttons and links, such as #0e6655. A color that is hard to read is replaced by a darker or lighter one.",
  "settings.brand.logo_url":
    "An https address, or a small picture as a data: address. Leave empty for the logo of the organization.",
  "settings.sign_up.policy":
    "For apps of the organization. Cannot allow more than POSTERN_SIGN_UP, which applies if nothing is chosen and is closed unless set.",
  sign_up_closed:
    "This server does not allow registration, because POSTERN_SIGN_UP is closed. An organization cannot allow more.",
  "settings.sign_up.domains": "One per line, such as example.com.",
  "settings.audience":
    "For tokens that are requested without an API. Leave empty for the organization's own audience.",
  "settings.session.max_age":
    "For members of the organization, from their next sign-in. The server's limit applies if it is shorter.",
  "settings.session.idle":
    "For members of the organization, since the last use. The server's limit applies if it is shorter.",
  "settings.session.remember": "Only if the server offers it at sign-in.",
  "metadata.client_uri": "An https address. The consent page links to it.",
  "metadata.policy_uri": "An https address. The consent page links to it.",
  "metadata.tos_uri": "An https address. The consent page links to it.",
  "metadata.scope_descriptions":
    "One per line, after an equals sign: orders:read = See your orders. Descriptions in other languages are preserved.",
  "metadata.refresh_reuse_window":
    "At most 60 seconds. Within this window, a repeated request gets the same response, and the earlier access token still works. 0 allows neither; leave empty for the server's setting.",
  "settings.claim_names.subject":
    "A claim that the provider never changes and never reassigns to another account.",
  attribute: "A name and a value: department:Sales",
};

export const memberValues: MemberValues = {
  "settings.sign_up.policy": {
    closed: "No one",
    invited: "People who were invited",
    domains: "People with an address in the email domains",
    open: "Anyone",
  },
};
