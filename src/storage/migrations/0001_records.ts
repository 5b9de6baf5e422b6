import type { Kind } from "../../records/definition/field.ts";

/** Creates the first tables. Never edit this SQL, because existing databases have already run it. */
export const records = (t: Readonly<Record<Kind, string>>): string => `
CREATE TABLE users (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  email ${t.string} NOT NULL CONSTRAINT users_email_key UNIQUE,
  name ${t.string} NOT NULL,
  avatar_url ${t.string},
  password_hash ${t.string},
  is_platform_admin ${t.bool} NOT NULL,
  active ${t.bool} NOT NULL,
  last_login_at ${t.time},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  email_key ${t.string} NOT NULL CONSTRAINT users_email_key_key UNIQUE,
  tokens_not_before ${t.time}
);

CREATE TABLE organizations (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  name ${t.string} NOT NULL,
  slug ${t.string} NOT NULL CONSTRAINT organizations_slug_key UNIQUE,
  logo_url ${t.string},
  settings ${t.json},
  plan ${t.string} NOT NULL,
  active ${t.bool} NOT NULL,
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  tokens_not_before ${t.time}
);

CREATE TABLE memberships (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  organization_id ${t.uuid} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  role ${t.string} NOT NULL,
  permissions ${t.json},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  CONSTRAINT memberships_user_id__organization_id_key UNIQUE (user_id, organization_id)
);
CREATE INDEX memberships_organization_id ON memberships (organization_id);

CREATE TABLE oauth_accounts (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider ${t.string} NOT NULL,
  provider_user_id ${t.string} NOT NULL,
  access_token ${t.text} NOT NULL,
  refresh_token ${t.text},
  expires_at ${t.time},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  CONSTRAINT oauth_accounts_provider__provider_user_id_key UNIQUE (provider, provider_user_id)
);
CREATE INDEX oauth_accounts_user_id ON oauth_accounts (user_id);

CREATE TABLE api_keys (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  name ${t.string} NOT NULL,
  key_prefix ${t.string} NOT NULL,
  key_hash ${t.signature} NOT NULL CONSTRAINT api_keys_key_hash_key UNIQUE,
  user_id ${t.uuid} REFERENCES users (id) ON DELETE CASCADE,
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  scopes ${t.json} NOT NULL,
  expires_at ${t.time},
  last_used_at ${t.time},
  revoked ${t.bool} NOT NULL,
  created_at ${t.time} NOT NULL
);
CREATE INDEX api_keys_user_id ON api_keys (user_id);
CREATE INDEX api_keys_organization_id ON api_keys (organization_id);

CREATE TABLE oauth_apps (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  client_id ${t.string} NOT NULL CONSTRAINT oauth_apps_client_id_key UNIQUE,
  name ${t.string} NOT NULL,
  description ${t.string},
  logo_url ${t.string},
  app_type ${t.string} NOT NULL,
  owner_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE RESTRICT,
  organization_id ${t.uuid} REFERENCES organizations (id) ON DELETE CASCADE,
  redirect_uris ${t.json} NOT NULL,
  allowed_scopes ${t.json} NOT NULL,
  allowed_grants ${t.json} NOT NULL,
  allowed_response_types ${t.json} NOT NULL,
  access_token_ttl ${t.int} NOT NULL,
  refresh_token_ttl ${t.int} NOT NULL,
  refresh_token_rotation ${t.bool} NOT NULL,
  first_party ${t.bool} NOT NULL,
  public ${t.bool} NOT NULL,
  active ${t.bool} NOT NULL,
  revoked_at ${t.time},
  metadata ${t.json},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  tokens_not_before ${t.time}
);
CREATE INDEX oauth_apps_owner_id ON oauth_apps (owner_id);
CREATE INDEX oauth_apps_organization_id ON oauth_apps (organization_id);

CREATE TABLE oauth_app_secrets (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  app_id ${t.uuid} NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  secret_hash ${t.string} NOT NULL,
  secret_prefix ${t.string} NOT NULL,
  expires_at ${t.time},
  last_used_at ${t.time},
  revoked ${t.bool} NOT NULL,
  revoked_at ${t.time},
  created_at ${t.time} NOT NULL
);
CREATE INDEX oauth_app_secrets_app_id ON oauth_app_secrets (app_id);

CREATE TABLE service_accounts (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  name ${t.string} NOT NULL,
  description ${t.string},
  email ${t.string} NOT NULL CONSTRAINT service_accounts_email_key UNIQUE,
  organization_id ${t.uuid} NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  created_by ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE RESTRICT,
  allowed_scopes ${t.json} NOT NULL,
  active ${t.bool} NOT NULL,
  last_used_at ${t.time},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  email_key ${t.string} NOT NULL CONSTRAINT service_accounts_email_key_key UNIQUE,
  tokens_not_before ${t.time}
);
CREATE INDEX service_accounts_organization_id ON service_accounts (organization_id);
CREATE INDEX service_accounts_created_by ON service_accounts (created_by);

CREATE TABLE service_account_key_pairs (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  service_account_id ${t.uuid} NOT NULL REFERENCES service_accounts (id) ON DELETE CASCADE,
  key_id ${t.string} NOT NULL,
  key_type ${t.string} NOT NULL,
  algorithm ${t.string} NOT NULL,
  public_key_pem ${t.text} NOT NULL,
  expires_at ${t.time},
  active ${t.bool} NOT NULL,
  last_used_at ${t.time},
  revoked ${t.bool} NOT NULL,
  revoked_at ${t.time},
  created_at ${t.time} NOT NULL,
  CONSTRAINT service_account_key_pairs_service_account_id__key_id_key UNIQUE (service_account_id, key_id)
);

CREATE TABLE sessions (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  id_signature ${t.signature} NOT NULL CONSTRAINT sessions_id_signature_key UNIQUE,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  authenticated_at ${t.time} NOT NULL,
  acr ${t.string} NOT NULL,
  satisfied_request ${t.signature},
  last_seen_at ${t.time} NOT NULL,
  expires_at ${t.time} NOT NULL,
  ended_at ${t.time},
  client_ip ${t.string},
  user_agent ${t.string},
  created_at ${t.time} NOT NULL
);
CREATE INDEX sessions_user_id ON sessions (user_id);

CREATE TABLE oauth_tokens (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  app_id ${t.uuid} NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  user_id ${t.uuid} REFERENCES users (id) ON DELETE CASCADE,
  service_account_id ${t.uuid} REFERENCES service_accounts (id) ON DELETE CASCADE,
  access_token_signature ${t.signature} NOT NULL CONSTRAINT oauth_tokens_access_token_signature_key UNIQUE,
  refresh_token_signature ${t.signature},
  family_id ${t.uuid} NOT NULL,
  scopes ${t.json} NOT NULL,
  audience ${t.json} NOT NULL,
  session_id ${t.string},
  request_data ${t.text},
  access_expires_at ${t.time} NOT NULL,
  refresh_expires_at ${t.time},
  revoked ${t.bool} NOT NULL,
  revoked_at ${t.time},
  revoked_reason ${t.string},
  client_ip ${t.string},
  user_agent ${t.string},
  last_used_at ${t.time},
  created_at ${t.time} NOT NULL,
  rotated_at ${t.time}
);
CREATE UNIQUE INDEX oauth_tokens_refresh_token_signature_key ON oauth_tokens (refresh_token_signature) WHERE refresh_token_signature IS NOT NULL;
CREATE INDEX oauth_tokens_family_id ON oauth_tokens (family_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_tokens_user_id ON oauth_tokens (user_id, app_id) WHERE user_id IS NOT NULL;
CREATE INDEX oauth_tokens_service_account_id ON oauth_tokens (service_account_id) WHERE service_account_id IS NOT NULL;
CREATE INDEX oauth_tokens_session_id ON oauth_tokens (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX oauth_tokens_app_id ON oauth_tokens (app_id);

CREATE TABLE oauth_auth_codes (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  code_signature ${t.signature} NOT NULL CONSTRAINT oauth_auth_codes_code_signature_key UNIQUE,
  app_id ${t.uuid} NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_challenge ${t.string},
  code_challenge_method ${t.string},
  redirect_uri ${t.text} NOT NULL,
  scopes ${t.json} NOT NULL,
  state ${t.text},
  nonce ${t.text},
  request_data ${t.text},
  expires_at ${t.time} NOT NULL,
  used ${t.bool} NOT NULL,
  used_at ${t.time},
  client_ip ${t.string},
  user_agent ${t.string},
  created_at ${t.time} NOT NULL
);
CREATE INDEX oauth_auth_codes_user_id ON oauth_auth_codes (user_id);
CREATE INDEX oauth_auth_codes_app_id ON oauth_auth_codes (app_id);

CREATE TABLE oauth_consents (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  user_id ${t.uuid} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  app_id ${t.uuid} NOT NULL REFERENCES oauth_apps (id) ON DELETE CASCADE,
  scopes ${t.json} NOT NULL,
  granted ${t.bool} NOT NULL,
  granted_at ${t.time} NOT NULL,
  last_used_at ${t.time},
  revoked ${t.bool} NOT NULL,
  revoked_at ${t.time},
  revoked_reason ${t.string},
  created_at ${t.time} NOT NULL,
  updated_at ${t.time} NOT NULL,
  CONSTRAINT oauth_consents_user_id__app_id_key UNIQUE (user_id, app_id)
);
CREATE INDEX oauth_consents_app_id ON oauth_consents (app_id);

CREATE TABLE signing_keys (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  kid ${t.string} NOT NULL CONSTRAINT signing_keys_kid_key UNIQUE,
  public_jwk ${t.json} NOT NULL,
  private_key_sealed ${t.text} NOT NULL,
  activates_at ${t.time} NOT NULL,
  retires_at ${t.time},
  expires_at ${t.time},
  created_at ${t.time} NOT NULL
);

CREATE TABLE audit_events (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  type ${t.string} NOT NULL,
  outcome ${t.string} NOT NULL,
  actor_kind ${t.string} NOT NULL,
  actor_id ${t.string},
  target_table ${t.string},
  target_id ${t.string},
  client_ip ${t.string},
  user_agent ${t.string},
  request_id ${t.string},
  details ${t.json},
  created_at ${t.time} NOT NULL
);

CREATE TABLE ephemera (
  id ${t.uuid} NOT NULL PRIMARY KEY,
  kind ${t.string} NOT NULL,
  key ${t.signature} NOT NULL,
  value ${t.text},
  count ${t.int} NOT NULL,
  expires_at ${t.time} NOT NULL,
  created_at ${t.time} NOT NULL,
  CONSTRAINT ephemera_kind__key_key UNIQUE (kind, key)
);
CREATE INDEX ephemera_expires_at ON ephemera (expires_at);
`;
