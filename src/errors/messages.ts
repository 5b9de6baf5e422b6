/**
 * Messages are codes with parameters; `web/words` has their sentences in one catalog per language, including
 * English.
 */

export const recordNouns = {
  users: "user",
  organizations: "organization",
  memberships: "membership",
  oauth_accounts: "linked account",
  api_keys: "API key",
  oauth_apps: "app",
  oauth_app_secrets: "app secret",
  oauth_tokens: "token",
  oauth_auth_codes: "authorization code",
  oauth_consents: "consent",
  resources: "API",
  sessions: "session",
  service_accounts: "service account",
  service_account_key_pairs: "key pair",
  signing_keys: "signing key",
  audit_events: "audit event",
  refusals: "refusal",
  invitations: "invitation",
  passkeys: "passkey",
  totp_authenticators: "authenticator app",
  providers: "provider",
  roles: "role",
  groups: "group",
  group_members: "group member",
  app_roles: "app role",
  foreign_passwords: "record",
  imported_people: "record",
  recovery_codes: "record",
  devices: "record",
  recoveries: "record",
  retired_providers: "record",
  statistics: "record",
  ephemera: "record",
  client_documents: "record",
  session_apps: "record",
  signal_streams: "record",
  deliveries: "delivery",
  events: "event",
  webhook_endpoints: "webhook endpoint",
  manifest_records: "record",
  manifest_names: "record",
  attribute_definitions: "attribute",
} as const;

export type RecordNoun = (typeof recordNouns)[keyof typeof recordNouns];

interface Kinds {
  readonly text: string;
  readonly texts: readonly string[];
  readonly number: number;
  readonly record: RecordNoun;
}

export type ParamKind = keyof Kinds;

export type Codes = Readonly<Record<string, Readonly<Record<string, ParamKind>>>>;

export type ParamsOf<C extends Codes, Code extends keyof C> = {
  readonly [Name in keyof C[Code]]: Kinds[C[Code][Name]];
};

/** Returns codes whose sentences take no parameters. */
export function plain<const Code extends string>(...codes: readonly Code[]) {
  return Object.fromEntries(codes.map((code) => [code, {}])) as {
    readonly [Each in Code]: Record<never, never>;
  };
}

export type MessageOf<C extends Codes, Code extends keyof C = keyof C> = {
  readonly [Each in Code]: { readonly code: Each; readonly params: ParamsOf<C, Each> };
}[Code];

/** The parameters of `Code`, or no argument if its sentence takes none. */
export type GivenParams<C extends Codes, Code extends keyof C> = keyof C[Code] extends never
  ? []
  : [params: ParamsOf<C, Code>];
