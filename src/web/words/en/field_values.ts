import type { ApiResource, AuditEvent, Organization } from "../../../records/definition/definition.ts";
import type {
  AttributeRecord,
  attributeReaders,
  attributeTypes,
  attributeWriters,
} from "../../../records/names/attributes.ts";
import type { DeliveryKindName, DeliveryState } from "../../../records/names/deliveries.ts";
import type {
  AllowedGrant,
  AppProfile,
  appTypes,
  assertionAudiences,
  keyTypes,
  OrganizationMode,
  Provenance,
  RevokedReason,
  roles,
  SignInAudience,
} from "../../../records/names/names.ts";
import type { webhookParts } from "../../../records/names/webhooks.ts";
import type { AppKind } from "../../../records/rules/app_kinds.ts";
import { type MemberValues, memberValues } from "./member_fields.ts";
import { type ProviderValues, providerValues } from "./provider_fields.ts";

type Of<Value extends string> = Readonly<Record<Value, string>>;

export type FieldValues = ProviderValues &
  MemberValues & {
    readonly app_type: Of<(typeof appTypes)[number]>;
    readonly kind: Of<AppKind | DeliveryKindName>;
    readonly state: Of<DeliveryState>;
    readonly plan: Of<Organization["plan"]>;
    /** The database may contain other roles. */
    readonly role: Of<(typeof roles)[number]>;
    readonly allowed_grants: Of<AllowedGrant>;
    readonly group: Of<"changes">;
    readonly outcome: Of<AuditEvent["outcome"]>;
    readonly actor_kind: Of<AuditEvent["actor_kind"]>;
    readonly client_assertion_audience: Of<(typeof assertionAudiences)[number]>;
    readonly provenance: Of<Provenance>;
    readonly profile: Of<AppProfile>;
    readonly key_type: Of<(typeof keyTypes)[number]>;
    readonly revoked_reason: Of<RevokedReason>;
    readonly who_may_sign_in: Of<SignInAudience>;
    readonly organization_mode: Of<OrganizationMode>;
    /** Every other claims dialect is the name of a product, which is the same in all languages. */
    readonly claims_dialect: Of<"none">;
    readonly who_may_ask: Of<ApiResource["who_may_ask"]>;
    readonly record_type: Of<AttributeRecord>;
    readonly value_type: Of<(typeof attributeTypes)[number]>;
    readonly writers: Of<(typeof attributeWriters)[number]>;
    readonly readers: Of<(typeof attributeReaders)[number]>;
    readonly include: Of<(typeof webhookParts)[number]>;
  };

export const fieldValues: FieldValues = {
  ...providerValues,
  ...memberValues,
  app_type: {
    web: "Website with a server",
    spa: "Single-page app",
    native: "Native or CLI app",
    service: "API",
    machine: "Machine-to-machine",
  },
  kind: {
    website: "Website with a server",
    browser: "Single-page app",
    native: "Phone or desktop app",
    command_line: "Command-line tool",
    api: "API or service",
    machine: "Machine-to-machine",
    logout_token: "Sign-out notice",
    security_event_token: "Security event",
    webhook: "Webhook",
  },
  state: { waiting: "Waiting", done: "Delivered", failed: "Failed", given_up: "Given up" },
  plan: { free: "Free", starter: "Starter", pro: "Pro", enterprise: "Enterprise" },
  role: { owner: "Owner", admin: "Administrator", developer: "Developer", member: "Member" },
  allowed_grants: {
    auth_code: "Authorization code, for people in a browser",
    refresh: "Refresh token, to stay signed in",
    client_credentials: "Client credentials, for the app itself",
    jwt_bearer: "Signed assertion, for service accounts",
  },
  group: { changes: "Changes" },
  outcome: { success: "Success", failure: "Failure" },
  actor_kind: {
    user: "A person",
    client: "An app",
    service_account: "A service account",
    api_key: "An API key",
    system: "The server itself",
    anonymous: "Unknown",
  },
  client_assertion_audience: {
    issuer: "The issuer only",
    issuer_or_token_endpoint: "The issuer or the token endpoint",
  },
  profile: { fapi2: "FAPI 2.0 Security Profile", oauth21: "The OAuth 2.1 draft" },
  provenance: {
    registered: "Registered here",
    metadata_document: "Client metadata document",
    dynamic_registration: "The client registered itself",
  },
  key_type: { rsa: "RSA key", ec: "Elliptic-curve key" },
  revoked_reason: {
    rotated: "Rotated",
    replay: "Used a second time",
    revoked: "Revoked",
    logout: "Signed out",
    consent_withdrawn: "Consent withdrawn",
    password_changed: "Password changed",
    user_disabled: "User switched off",
    organization_disabled: "Organization switched off",
    app_disabled: "App switched off",
    service_account_disabled: "Service account switched off",
    key_revoked: "Key revoked",
    membership_ended: "Membership ended",
  },
  who_may_sign_in: {
    any: "Every user",
    members: "Members of its organization",
    roles: "Members with one of the roles",
    groups: "Members of one of the groups",
  },
  organization_mode: {
    none: "None",
    optional: "The one that the request names",
    auto: "One of the user’s, if there are any",
    required: "Always one of the user’s",
  },
  claims_dialect: { none: "None" },
  who_may_ask: {
    listed: "Only apps that list it",
    registered: "Registered apps of its owner",
    any: "Any client",
  },
  record_type: {
    users: "Users",
    memberships: "Memberships",
    organizations: "Organizations",
    apps: "Apps",
  },
  value_type: { string: "Text", number: "Number", boolean: "Yes or no", date: "Date", list: "List of texts" },
  writers: { user: "The user", admin: "Administrators", provider: "A provider, at sign-in" },
  readers: { user: "The user", admin: "Administrators" },
  include: { record: "The user, organization or app" },
};
