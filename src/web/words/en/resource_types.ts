import type { RecordNoun } from "../../../errors/messages.ts";
import type { ResourceType } from "../../../records/definition/permissions.ts";

export type ResourceTypeWords = {
  readonly [F in ResourceType]: { readonly one: string; readonly many: string; readonly lead: string };
};

const titled = (noun: RecordNoun, lead: string) => {
  const one = noun.charAt(0).toUpperCase() + noun.slice(1);
  return { one, many: `${one}s`, lead };
};

export const resourceTypeWords: ResourceTypeWords = {
  users: titled("user", "People who can sign in."),
  organizations: titled("organization", "Companies and teams with their own members and apps."),
  memberships: titled("membership", "Members of organizations, and their roles."),
  roles: titled("role", "Roles in organizations, in addition to the built-in ones."),
  groups: titled("group", "Groups of an organization's members, and the roles that they grant."),
  group_members: titled("group member", "Members of groups."),
  attributes: titled("attribute", "Definitions of custom fields, and the claims that contain their values."),
  providers: titled("provider", "External providers that people sign in with."),
  linked_accounts: titled("linked account", "Accounts of users at external providers."),
  api_keys: titled("API key", "Keys for the management API."),
  apps: titled("app", "Applications that sign users in or request tokens."),
  app_secrets: titled("app secret", "Client secrets of apps."),
  tokens: titled("token", "Tokens issued to apps, newest first."),
  auth_codes: titled("authorization code", "One-time codes that apps exchange for tokens."),
  consents: titled("consent", "Permissions that users have granted to apps."),
  sessions: titled("session", "Browsers where people are signed in."),
  resources: titled("API", "APIs with their scopes, and the clients that may request tokens for them."),
  app_roles: titled("app role", "Roles of an API, each of which grants some of its scopes."),
  service_accounts: titled("service account", "Programs that authenticate with their own identity."),
  key_pairs: titled("key pair", "Keys that service accounts authenticate with."),
  signing_keys: titled("signing key", "Keys that sign tokens."),
  audit_events: { ...titled("audit event", "Who did what and when, newest first."), many: "Audit trail" },
  webhook_endpoints: titled("webhook endpoint", "URLs that receive events."),
  events: titled("event", "Events for consumers of the event feed and webhooks, newest first."),
  deliveries: {
    ...titled(
      "delivery",
      "Deliveries of sign-out notices, webhook events and security signals, newest first.",
    ),
    many: "Deliveries",
  },
  refusals: {
    ...titled("refusal", "Sign-in and OAuth requests that the server refused, and the reasons."),
    many: "Failed requests",
  },
};
