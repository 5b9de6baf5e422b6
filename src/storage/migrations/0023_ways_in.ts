import type { Kind } from "../../records/definition/field.ts";
import type { Dialect } from "../database/dialect.ts";

export const waysIn = (t: Readonly<Record<Kind, string>>, database: Dialect["name"]): string => `
ALTER TABLE users ADD COLUMN email_verified_at ${t.time};
ALTER TABLE users ADD COLUMN webauthn_handle ${t.signature};
ALTER TABLE users ADD COLUMN device_notices ${t.bool} NOT NULL DEFAULT TRUE;
ALTER TABLE users ADD COLUMN email_locked_until ${t.time};
ALTER TABLE users ADD COLUMN deletion_at ${t.time};
CREATE UNIQUE INDEX users_webauthn_handle_key ON users (webauthn_handle);
CREATE INDEX users_deletion_at ON users (deletion_at) WHERE deletion_at IS NOT NULL;
ALTER TABLE sessions ADD COLUMN methods ${t.json};
ALTER TABLE oauth_apps ADD COLUMN require_acr ${t.string};
ALTER TABLE oauth_accounts ADD COLUMN email ${t.string};
ALTER TABLE oauth_accounts ADD COLUMN last_used_at ${t.time};
CREATE TABLE passkeys (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name ${t.string} NOT NULL,
  credential_id ${t.string} NOT NULL CONSTRAINT passkeys_credential_id_key UNIQUE,
  public_key ${t.text} NOT NULL,
  algorithm ${t.int} NOT NULL,
  rp_id ${t.string} NOT NULL,
  transports ${t.json} NOT NULL,
  aaguid ${t.string},
  backup_eligible ${t.bool} NOT NULL,
  backed_up ${t.bool} NOT NULL,
  uv_initialized ${t.bool} NOT NULL,
  signs_in ${t.bool} NOT NULL,
  counter ${t.int} NOT NULL,
  last_used_at ${t.time},
  created_at ${t.time} NOT NULL
);
CREATE INDEX passkeys_user_id ON passkeys (user_id, id);
CREATE TABLE totp_authenticators (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name ${t.string} NOT NULL,
  secret_sealed ${t.text} NOT NULL,
  last_step ${t.int} NOT NULL,
  last_used_at ${t.time},
  created_at ${t.time} NOT NULL
);
CREATE INDEX totp_authenticators_user_id ON totp_authenticators (user_id, id);
CREATE TABLE recovery_codes (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  selector ${t.string} NOT NULL,
  code_hash ${t.text} NOT NULL,
  used_at ${t.time},
  created_at ${t.time} NOT NULL,
  CONSTRAINT recovery_codes_user_id__selector_key UNIQUE (user_id, selector)
);
CREATE INDEX recovery_codes_user_id ON recovery_codes (user_id, id);
CREATE TABLE devices (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_signature ${t.signature} NOT NULL CONSTRAINT devices_token_signature_key UNIQUE,
  expires_at ${t.time} NOT NULL,
  last_used_at ${t.time},
  client_ip ${t.string},
  user_agent ${t.string},
  created_at ${t.time} NOT NULL
);
CREATE INDEX devices_user_id ON devices (user_id, id);
CREATE INDEX devices_expires_at ON devices (expires_at);
CREATE TABLE providers (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  slug ${t.string} NOT NULL CONSTRAINT providers_slug_key UNIQUE,
  label ${t.string} NOT NULL,
  preset ${t.string} NOT NULL,
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  issuer ${t.string},
  authorization_endpoint ${t.string},
  token_endpoint ${t.string},
  userinfo_endpoint ${t.string},
  client_id ${t.string} NOT NULL,
  client_secret ${t.text} NOT NULL,
  scopes ${t.json} NOT NULL,
  settings ${t.json} NOT NULL,
  email_trust ${t.string} NOT NULL,
  email_domains ${t.json} NOT NULL,
  sign_up ${t.string} NOT NULL,
  link ${t.string} NOT NULL,
  allowed_tenants ${t.json} NOT NULL,
  keep_tokens ${t.bool} NOT NULL,
  trust_amr ${t.bool} NOT NULL,
  active ${t.bool} NOT NULL,
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL
);
CREATE INDEX providers_organization_id ON providers (organization_id, id);
CREATE TABLE providers_words (
  word ${t.string}${database === "postgres" ? ' COLLATE "C"' : ""} NOT NULL,
  record_id ${t.uuid} NOT NULL REFERENCES providers (id) ON DELETE CASCADE,
  PRIMARY KEY (word, record_id)
)${database === "sqlite" ? " WITHOUT ROWID" : ""};
CREATE INDEX providers_words_record_id ON providers_words (record_id, word);
CREATE TABLE retired_providers (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  slug ${t.string} NOT NULL CONSTRAINT retired_providers_slug_key UNIQUE,
  endpoint ${t.string} NOT NULL,
  provider_id ${t.uuid} NOT NULL,
  created_at ${t.time} NOT NULL
);
`;
