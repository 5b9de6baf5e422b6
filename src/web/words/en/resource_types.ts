import type { RecordNoun } from "../../../errors/messages.ts";
import type { ResourceType } from "../../../records/permissions.ts";

export type ResourceTypeWords = {
  readonly [F in ResourceType]: { readonly one: string; readonly many: string; readonly lead: string };
};

const titled = (noun: RecordNoun, lead: string) => {
  const one = noun.charAt(0).toUpperCase() + noun.slice(1);
  return { one, many: `${one}s`, lead };
};

/** The names of the resource types, one and many, and their meaning. */
export const resourceTypeWords: ResourceTypeWords = {
  users: titled("user", "People who can sign in."),
  organizations: titled("organization", "Groups of people with apps of their own."),
  memberships: titled("membership", "Who belongs to which organization, as what."),
  providers: titled("provider", "Accounts elsewhere with which people sign in here."),
  linked_accounts: titled("linked account", "Accounts of people at other providers."),
  api_keys: titled("API key", "Keys with which programs manage records."),
  apps: titled("app", "Applications that sign people in or ask for tokens."),
  app_secrets: titled("app secret", "With what apps prove who they are."),
  tokens: titled("token", "What was issued to apps, the newest first."),
  auth_codes: titled("authorization code", "One-time codes on their way to becoming tokens."),
  consents: titled("consent", "What people have allowed apps."),
  sessions: titled("session", "Where people are signed in."),
  resources: titled("API", "APIs that tokens are for, with their scopes and who may ask for them."),
  service_accounts: titled("service account", "Programs with an identity of their own."),
  key_pairs: titled("key pair", "With what service accounts prove who they are."),
  signing_keys: titled("signing key", "With what this server signs tokens."),
  audit_events: { ...titled("audit event", "Who did what and when, the newest first."), many: "Audit trail" },
  refusals: titled("refusal", "What was refused to apps and people, and why."),
};
