import type { ResourceType } from "../../../records/permissions.ts";

export type ResourceTypeWords = {
  readonly [F in ResourceType]: { readonly one: string; readonly many: string; readonly lead: string };
};

/** The names of the resource types, one and many, and their meaning. */
export const resourceTypeWords: ResourceTypeWords = {
  users: { one: "User", many: "Users", lead: "People who can sign in." },
  organizations: {
    one: "Organization",
    many: "Organizations",
    lead: "Groups of people with apps of their own.",
  },
  memberships: {
    one: "Membership",
    many: "Memberships",
    lead: "Who belongs to which organization, as what.",
  },
  linked_accounts: {
    one: "Linked account",
    many: "Linked accounts",
    lead: "Accounts of people at other providers.",
  },
  api_keys: { one: "API key", many: "API keys", lead: "Keys with which programs manage records." },
  apps: { one: "App", many: "Apps", lead: "Applications that sign people in or ask for tokens." },
  app_secrets: { one: "App secret", many: "App secrets", lead: "With what apps prove who they are." },
  tokens: { one: "Token", many: "Tokens", lead: "What was issued to apps, the newest first." },
  auth_codes: {
    one: "Authorization code",
    many: "Authorization codes",
    lead: "One-time codes on their way to becoming tokens.",
  },
  consents: { one: "Consent", many: "Consents", lead: "What people have allowed apps." },
  sessions: { one: "Session", many: "Sessions", lead: "Where people are signed in." },
  service_accounts: {
    one: "Service account",
    many: "Service accounts",
    lead: "Programs with an identity of their own.",
  },
  key_pairs: { one: "Key pair", many: "Key pairs", lead: "With what service accounts prove who they are." },
  signing_keys: { one: "Signing key", many: "Signing keys", lead: "With what this server signs tokens." },
  audit_events: { one: "Audit event", many: "Audit trail", lead: "Who did what and when, the newest first." },
  refusals: { one: "Refusal", many: "Refusals", lead: "What was refused to apps and people, and why." },
};
