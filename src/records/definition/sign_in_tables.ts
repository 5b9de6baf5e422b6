/** The tables of the ways in: passkeys, authenticator apps, recovery codes, remembered devices, providers. */

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
  client_ip,
  created_at,
  kept,
  switched_off_by_platform,
  type TableDefinition,
  table,
  updated_at,
  user_agent,
} from "./table.ts";

const name = (meaning: string) => string(meaning, { plain: "line", not_empty: true, max_length: 64 });
const last_used_at = optional(time("last use", kept));

export const signInTables = {
  passkeys: table("passkeys (WebAuthn Level 3)", {
    id: id(),
    user_id: reference("users", "whose it is", "cascade"),
    name: name("what the user calls it"),
    credential_id: string("credential ID in base64url", { unique: true, ...kept, max_length: 1364 }),
    public_key: text("public key, COSE in base64url", { internal: true }),
    algorithm: int("COSE algorithm of the key", kept),
    rp_id: string("the host that it is for", kept),
    transports: strings("how the browser may reach it", kept),
    aaguid: optional(string("model of the authenticator", kept)),
    backup_eligible: bool("it may be synced between devices", kept),
    backed_up: bool("it is synced now", kept),
    uv_initialized: bool("it has shown that it verifies its user", kept),
    signs_in: bool("it signs in by itself; false is a second factor only", kept),
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
    user_id: reference("users", "whose it is", "cascade"),
    name: name("what the user calls it"),
    secret_sealed: text("shared secret, sealed", { sensitive: true, sealed_for: "totp_authenticator" }),
    last_step: int("time step of the last code that was taken", { internal: true, min: 0 }),
    last_used_at,
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: "authenticator_apps",
  }),

  recovery_codes: table("one-time codes for a lost second factor", {
    id: id(),
    user_id: reference("users", "whose it is", "cascade"),
    selector: string("first group of the code", { internal: true, max_length: 4 }),
    code_hash: text("Argon2id hash of the rest", { sensitive: true }),
    used_at: optional(time("when it was spent", kept)),
    created_at,
  }).with({
    unique: [["user_id", "selector"]],
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: null,
  }),

  devices: table("browsers in which a user is not asked for a second factor for some days", {
    id: id(),
    user_id: reference("users", "who asked for it", "cascade"),
    token_signature: signature("hash of the browser's cookie", { unique: true, sensitive: true }),
    expires_at: time("when it is asked for again", kept),
    last_used_at,
    client_ip,
    user_agent,
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: { ordered: ["user_id"] },
    counted_as: null,
  }),

  recoveries: table("recoveries of lost second factors that wait", {
    id: id(),
    user_id: reference("users", "whose factors are lost", "cascade"),
    passkeys_only: defaulting(bool("only passkeys are lost; they are removed when it is due", kept), false),
    token_signature: signature("hash of the cookie of the browser that asked", { sensitive: true }),
    email_key: string("the address whose mailbox was proved", { internal: true }),
    language: string("language of the mails", { internal: true, max_length: 16 }),
    mails: int("mails that told of it so far", { internal: true, min: 0 }),
    halfway_at: time("when the second mail is due", kept),
    due_at: time("from when on new factors may be set up, or when the passkeys are removed", kept),
    expires_at: time("until when", kept),
    client_ip,
    user_agent,
    created_at,
  }).with({
    unique: [["user_id"]],
    owner: { user: { column: "user_id" }, added_to: ["user_id"] },
    indexes: {},
    counted_as: null,
  }),

  providers: table("external providers that people sign in with", {
    id: id(),
    slug: string("name in addresses and in linked accounts", {
      format: "slug",
      unique: true,
      not_empty: true,
      max_length: 64,
      searchable: true,
    }),
    label: string("name on the button", { plain: "line", not_empty: true, max_length: 64, searchable: true }),
    preset: oneOf("which provider it is, or the protocol of another one", providerPresets),
    organization_id: optional(
      reference("organizations", "owning organization; the server's own when null", "cascade"),
    ),
    issuer: optional(
      string("issuer (OpenID Connect Discovery)", { format: "provider_issuer", max_length: 2048 }),
    ),
    authorization_endpoint: optional(
      string("authorization endpoint, where there is no discovery", {
        format: "provider_url",
        max_length: 2048,
      }),
    ),
    token_endpoint: optional(
      string("token endpoint, where there is no discovery", {
        format: "provider_url",
        max_length: 2048,
      }),
    ),
    userinfo_endpoint: optional(
      string("userinfo endpoint, where there is no discovery", {
        format: "provider_url",
        max_length: 2048,
      }),
    ),
    client_id: string("our client ID at the provider", { not_empty: true, max_length: 1024 }),
    client_secret: text("our client secret or private key at the provider, sealed", {
      sensitive: true,
      sealed_for: "provider_secret",
    }),
    scopes: defaulting(
      strings("scopes that are asked for; those of the preset when empty", {
        format: "scope",
        distinct: true,
      }),
      [],
    ),
    settings: defaulting(object("what this preset needs besides"), {}),
    email_trust: defaulting(oneOf("whether its word on an e-mail counts", emailTrusts), "never"),
    email_domains: defaulting(
      strings("domains whose mailboxes it runs", {
        format: "domain",
        distinct: true,
        most: { items: 100, characters: 253 },
      }),
      [],
    ),
    sign_up: defaulting(oneOf("who may get an account through it", providerSignUps), "never"),
    link: defaulting(oneOf("what happens when the e-mail has an account", linkRules), "ask"),
    allowed_tenants: defaulting(
      strings("tenants whose users may come; all when empty", {
        distinct: true,
        most: { items: 100, characters: 255 },
      }),
      [],
    ),
    keep_tokens: defaulting(bool("its tokens are kept, sealed"), false),
    trust_amr: defaulting(bool("its word on how the person signed in counts"), false),
    active: defaulting(bool("people may sign in through it"), true),
    created_at,
    updated_at,
    switched_off_by_platform,
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { few: ["slug"], ordered: ["organization_id"] },
    counted_as: null,
  }),

  retired_providers: table("slugs of deleted providers, and the issuer that each had (EP-2)", {
    id: id(),
    slug: string("the slug", { unique: true }),
    endpoint: string("preset, issuer and endpoints that it had"),
    provider_id: uuid("the record that is gone"),
    created_at,
  }).with({ owner: { added_to: ["platform"] }, indexes: {}, counted_as: null }),
} as const satisfies Record<string, TableDefinition>;
