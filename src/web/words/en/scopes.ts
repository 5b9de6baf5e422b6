import type { ResourceType } from "../../../records/definition/permissions.ts";
import type { MembershipScope } from "../../../records/names/names.ts";

export const scopeWords = {
  known: {
    openid: "Confirm your identity",
    profile: "See your name and profile picture",
    email: "See your email address",
    offline_access: "Keep this access while you are away",
    "postern:manage": "Manage this server with your permissions",
    "postern:register": "Register and manage clients on this server",
    "postern:import": "Manage imports of users and their passwords",
    "postern:read": "See the records of this server with your permissions",
  },
  /** Not used if the app or the API describes its own scope with this name. */
  phone: "See your phone number",
  /** The texts if the request or token is for an organization (OC-3). */
  inOrganization: {
    organization: (name: string) => `See which organization you use it for: ${name}`,
    roles: (name: string) => `See your role at ${name}`,
    groups: (name: string) => `See your groups at ${name}`,
    permissions: (name: string) => `See what you may do at ${name}`,
  } satisfies Readonly<Record<MembershipScope, (name: string) => string>>,
  /** The resource types of the management API (`records/definition/permissions.ts`). */
  managed: {
    users: "users",
    organizations: "organizations",
    memberships: "memberships",
    roles: "roles",
    groups: "groups",
    group_members: "members of groups",
    providers: "sign-in providers",
    linked_accounts: "linked accounts",
    api_keys: "API keys",
    apps: "apps",
    app_secrets: "app secrets",
    resources: "APIs",
    app_roles: "app roles",
    tokens: "tokens",
    auth_codes: "authorization codes",
    consents: "consents",
    sessions: "sessions",
    service_accounts: "service accounts",
    key_pairs: "keys of service accounts",
    signing_keys: "signing keys",
    audit_events: "the audit trail",
    refusals: "failed requests",
    deliveries: "deliveries",
    events: "the event feed",
    webhook_endpoints: "webhook endpoints",
    attributes: "attributes",
  } satisfies Readonly<Record<ResourceType, string>>,
  levels: {
    resource: "Resource",
    none: "No access",
    read: "Read",
    write: "Read and write",
    others: "Other scopes, separated by spaces, commas or lines",
  },
  see: (what: string) => `See ${what} (with your permissions)`,
  change: (what: string) => `Change ${what} (with your permissions)`,
  permitted: {
    see: (what: string) => `See ${what}`,
    change: (what: string) => `Change ${what}`,
  },
};

export type ScopeWords = typeof scopeWords;
