import type { ResourceType } from "../../../records/permissions.ts";

export const scopeWords = {
  /** By the scope's name. */
  known: {
    openid: "Know that it is you who signs in",
    profile: "See your name and profile picture",
    email: "See your e-mail address",
    offline_access: "Keep this access while you are away",
    "postern:manage": "Manage everything that you may manage on this server",
    "postern:register": "Manage which clients come to this server",
    "postern:read": "See everything that you may see in the management of this server",
  },
  /** The resource types of the management API in the words of a person (records/permissions.ts). */
  managed: {
    users: "people",
    organizations: "organizations",
    memberships: "memberships of organizations",
    providers: "providers that people sign in with",
    linked_accounts: "accounts linked at other services",
    api_keys: "API keys",
    apps: "apps",
    app_secrets: "secrets of apps",
    resources: "APIs that tokens are for",
    tokens: "issued tokens",
    auth_codes: "authorization codes",
    consents: "what people allowed to apps",
    sessions: "where people are signed in",
    service_accounts: "service accounts",
    key_pairs: "keys of service accounts",
    signing_keys: "signing keys",
    audit_events: "the record of what happened",
    refusals: "what was refused, and why",
  } satisfies Readonly<Record<ResourceType, string>>,
  see: (what: string) => `See ${what}, as far as you may`,
  change: (what: string) => `Change ${what}, as far as you may`,
};

export type ScopeWords = typeof scopeWords;
