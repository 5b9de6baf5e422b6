import { emailTrusts, linkRules, providerPresets, providerSignUps } from "../names/names.ts";
import {
  bool,
  defaulting,
  id,
  int,
  object,
  oneOf,
  optional,
  reference,
  signature,
  string,
  strings,
  text,
  time,
  uuid,
} from "./field.ts";
import {
  created_at,
  kept,
  requestOf,
  switched_off_by_platform,
  type TableDefinition,
  table,
  updated_at,
} from "./table.ts";

const name = (meaning: string) => string(meaning, { plain: "line", not_empty: true, max_length: 64 });
const last_used_at = optional(time("time of the last use; null if never used", kept));

export const signInTables = {
  passkeys: table("passkeys (WebAuthn Level 3)", {
    id: id(),
    user_id: reference("users", "the user who owns the record", "cascade"),
    name: name("name chosen by the user"),
    credential_id: string("credential ID in base64url", { unique: true, ...kept, max_length: 1364 }),
    public_key: text("public key, COSE in base64url", { internal: true }),
    algorithm: int("COSE algorithm of the key", kept),
    rp_id: string("host that the passkey is for (relying party ID)", kept),
    transports: strings("transports of the authenticator", kept),
    aaguid: optional(string("model of the authenticator (AAGUID); null if unknown", kept)),
    backup_eligible: bool("whether the passkey can be synced between devices", kept),
    backed_up: bool("whether the passkey is currently synced", kept),
    uv_initialized: bool("whether the authenticator has ever verified its user", kept),
    signs_in: bool("whether the passkey alone suffices to sign in; if not, it is only a second factor", kept),
    counter: int("signature counter", { internal: true, min: 0 }),
    last_used_at,
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { few: ["credential_id"], ordered: ["user_id"] },
    counted_as: "passkeys",
  }),

  totp_authenticators: table("authenticator apps (RFC 6238)", {
    id: id(),
    user_id: reference("users", "the user who owns the record", "cascade"),
    name: name("name chosen by the user"),
    secret_sealed: text("shared secret, encrypted", { sensitive: true, sealed_for: "totp_authenticator" }),
    last_step: int("time step of the last accepted code", { internal: true, min: 0 }),
    last_used_at,
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: "authenticator_apps",
  }),

  foreign_passwords: table("imported password hashes, kept until the next sign-in with the password (MG-4)", {
    id: id(),
    user_id: reference("users", "the user whose password it is", "cascade", { unique: true }),
    scheme: string("scheme of the hash", kept),
    hash: text("the hash in canonical form", { sensitive: true }),
    source: optional(string("the source of the import", kept)),
    imported_at: time("when it was imported", kept),
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { few: ["user_id"] },
    counted_as: null,
  }),

  imported_people: table("identifiers of imported users in the system that they came from (MG-6)", {
    id: id(),
    user_id: reference("users", "the imported user", "cascade"),
    source: string("the source of the import", { ...kept, max_length: 64 }),
    external_id: string("the user's identifier in the source", { ...kept, max_length: 255 }),
    created_at,
    carried: optional(strings("fields of the user that were imported; null means all but a password", kept)),
  }).with({
    unique: [["source", "external_id"]],
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: null,
  }),

  recovery_codes: table("one-time codes for a lost second factor", {
    id: id(),
    user_id: reference("users", "the user who owns the record", "cascade"),
    selector: string("first group of the code", { internal: true, max_length: 4 }),
    code_hash: text("Argon2id hash of the rest", { sensitive: true }),
    used_at: optional(time("when the code was used", kept)),
    created_at,
  }).with({
    unique: [["user_id", "selector"]],
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: null,
  }),

  devices: table("remembered browsers, which need no second factor for some days", {
    id: id(),
    user_id: reference("users", "the user who chose to be remembered", "cascade"),
    token_signature: signature("hash of the browser's cookie", { unique: true, sensitive: true }),
    expires_at: time("when the second factor is required again", kept),
    last_used_at,
    ...requestOf("the sign-in"),
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: null,
  }),

  recoveries: table("pending recoveries of lost second factors", {
    id: id(),
    user_id: reference("users", "the user who lost the factors", "cascade"),
    passkeys_only: defaulting(
      bool("whether only passkeys are lost, which are deleted at due_at", kept),
      false,
    ),
    token_signature: signature("cookie hash of the browser that started the recovery", { sensitive: true }),
    email_key: string("the address whose mailbox was verified", { internal: true }),
    language: string("language of the emails", { internal: true, max_length: 16 }),
    mails: int("number of notices sent", { internal: true, min: 0 }),
    halfway_at: time("when the second email is due", kept),
    due_at: time("when new factors can be set up, or the passkeys are deleted", kept),
    expires_at: time("when the recovery expires", kept),
    ...requestOf("the request that started the recovery"),
    created_at,
  }).with({
    unique: [["user_id"]],
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: {},
    counted_as: null,
  }),

  providers: table("external providers that users sign in with", {
    id: id(),
    slug: string("short name in URLs and in linked accounts", {
      format: "slug",
      unique: true,
      not_empty: true,
      max_length: 64,
      searchable: true,
    }),
    label: string("label of the sign-in button", {
      plain: "line",
      not_empty: true,
      max_length: 64,
      searchable: true,
    }),
    preset: oneOf("known provider whose settings are built in, or `oidc` or `oauth2`", providerPresets),
    organization_id: optional(
      reference(
        "organizations",
        "owning organization; null if the provider belongs to the server",
        "cascade",
      ),
    ),
    issuer: optional(
      string("issuer, for a provider with OpenID Connect Discovery", {
        format: "provider_issuer",
        max_length: 2048,
      }),
    ),
    authorization_endpoint: optional(
      string("authorization endpoint, for a provider without discovery", {
        format: "provider_url",
        max_length: 2048,
      }),
    ),
    token_endpoint: optional(
      string("token endpoint, for a provider without discovery", {
        format: "provider_url",
        max_length: 2048,
      }),
    ),
    userinfo_endpoint: optional(
      string("userinfo endpoint, for a provider without discovery", {
        format: "provider_url",
        max_length: 2048,
      }),
    ),
    client_id: string("this server's client ID at the provider", { not_empty: true, max_length: 1024 }),
    client_secret: text("this server's client secret or private key at the provider, encrypted", {
      sensitive: true,
      sealed_for: "provider_secret",
    }),
    scopes: defaulting(
      strings("scopes to request; if empty, the scopes of the preset", {
        format: "scope",
        distinct: true,
      }),
      [],
    ),
    settings: defaulting(object("settings that only some presets have, such as `team_id` for apple"), {}),
    email_trust: defaulting(
      oneOf(
        "which of the provider's email addresses are trusted. `never`: none. `claim`: those that the provider reports as verified, if the preset allows this. `domains`: those in `email_domains`. With `claim` or `domains`, also those whose mailboxes the provider runs",
        emailTrusts,
      ),
      "never",
    ),
    email_domains: defaulting(
      strings("domains to which `email_trust` and `sign_up` refer if they are `domains`", {
        format: "domain",
        distinct: true,
        most: { items: 100, characters: 253 },
      }),
      [],
    ),
    sign_up: defaulting(
      oneOf(
        "who may create an account through the provider. `never`: no one. `invited`: people with an invitation. `domains`: people with an email address in `email_domains`. `anyone`: all people",
        providerSignUps,
      ),
      "never",
    ),
    link: defaulting(
      oneOf(
        "what happens at a first sign-in if the email address belongs to a user. With `ask`, the person must prove that the user's account is theirs. With `automatic`, no proof is needed if the user's email address is verified and the provider runs the mailbox or is trusted for its domain. Proof is always required of platform administrators and of users with a second factor",
        linkRules,
      ),
      "ask",
    ),
    allowed_tenants: defaulting(
      strings("tenants whose users may sign in, such as Google Workspace domains; if empty, all", {
        distinct: true,
        most: { items: 100, characters: 255 },
      }),
      [],
    ),
    keep_tokens: defaulting(bool("whether to store the provider's tokens, encrypted"), false),
    trust_amr: defaulting(
      bool("whether a second factor in the provider's claim `amr` replaces Postern's own"),
      false,
    ),
    attribute_claims: optional(
      object(
        "attributes, each with the claim that sets it at sign-in. They belong to users or, if an organization owns the provider, to memberships",
        {
          format: "attribute_claims",
        },
      ),
    ),
    active: defaulting(bool("whether users can sign in through the provider"), true),
    internal: defaulting(
      bool(
        "whether URLs of an organization's provider may use http and the private IP addresses that POSTERN_OUTBOUND_ALLOW lists",
      ),
      false,
    ),
    created_at,
    updated_at,
    switched_off_by_platform,
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { few: ["slug"], ordered: ["organization_id"] },
    counted_as: null,
  }),

  retired_providers: table("slugs of deleted providers, each with its issuer (EP-2)", {
    id: id(),
    slug: string("the slug", { unique: true }),
    endpoint: string("former preset, issuer and endpoints"),
    provider_id: uuid("the deleted record"),
    created_at,
  }).with({ owner: { added_to: ["platform"] }, indexes: {}, counted_as: null }),
} as const satisfies Record<string, TableDefinition>;
