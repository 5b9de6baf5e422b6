import { durationIn } from "../../html/formats.ts";
import type { FieldErrorSentences } from "../parts/sentences.ts";
import { fieldLabels } from "./field_labels.ts";
import { withArticle } from "./record_nouns.ts";

const spelled = (field: string) => (field === "email" ? "email address" : field);

function owned(apps: number, service_accounts: number): string {
  const counted = (count: number, noun: string) =>
    count === 0 ? [] : [`${count} ${noun}${count === 1 ? "" : "s"}`];
  return [...counted(apps, "app"), ...counted(service_accounts, "service account")].join(" and ");
}

export const fieldErrors: FieldErrorSentences = {
  required: "is required",
  required_text: "is required, as text",
  not_null: "must not be null",
  empty: "must not be empty",
  taken: "is taken",
  repeated: "must not be repeated",
  server_set: "is set by the server",
  unknown_field: "is not a field of this record",
  not_taken: "is not accepted here",
  not_of_import:
    "is already the name of a record that this import did not create: rename that record, or the one in the file",
  listed_by_apis: ({ names }) =>
    `cannot change while APIs of the organization list the app: remove it from app_ids of ${names.join(", ")}`,
  not_applied: ({ record }) =>
    `is the name of ${withArticle(record)} that no manifest created under this name: run postern apply with the export of the other server first`,
  only_of_source: ({ source }) => `is accepted only with the source ${source}`,
  deleted_after_import: "was deleted on this server after its import; importing it again does not restore it",
  in_the_future: "must not be in the future",

  not_string: "must be a string",
  not_text: "must be non-empty text",
  not_integer: "must be an integer",
  not_boolean: "must be true or false",
  not_time: "must be a time such as 2026-01-31T12:00:00Z",
  not_uuid: "must be a UUID",
  not_list: "must be a list",
  not_list_of_strings: "must be a list of strings",
  not_list_of_objects: "must be a list of objects",
  not_object: "must be an object",
  not_json: ({ line, column }) => `must be valid JSON; the error is at line ${line}, column ${column}`,
  not_signature: "must be 32 bytes",
  not_one_of: ({ values }) => `must be one of ${values.join(", ")}`,
  not_event_type: ({ similar }) =>
    `is not an event type; ${similar.length > 0 ? `similar: ${similar.join(", ")}` : "an example is user.created"}`,
  unstorable: "must not contain NUL or broken Unicode",
  invisible_characters: "must not contain control, direction or invisible characters",

  too_short: ({ characters }) => `must have at least ${characters} characters`,
  too_long: ({ characters }) => `must be at most ${characters} characters`,
  too_many_bytes: ({ bytes }) => `must have at most ${bytes} bytes`,
  too_small: ({ min }) => `must be at least ${min}`,
  too_large: ({ max }) => `must be at most ${max}`,
  out_of_range: ({ min, max }) => `must be an integer from ${min} to ${max}`,
  too_many_to_sort: ({ max }) => `can sort at most ${max} records; filter the list first`,
  not_one_beginning: "requires exactly one of event_id, after and since",
  too_many_records: ({ max }) => `is one too many: there may be at most ${max} such records`,
  too_many_endpoints: ({ max }) => `an organization, or the server, has at most ${max} endpoints`,
  needs_events: "requires POSTERN_EXTRA_FEATURES=events",
  before_oldest: ({ position }) => `is before the oldest position, ${position}`,
  after_newest: ({ position }) => `is after the newest position, ${position}`,
  search_too_wide: ({ max }) => `matches more than ${max} names; type more of the name`,
  more_than_quota: ({ max }) =>
    `must be at most ${max}: each operation counts toward the limit of ${max} requests per minute`,
  out_of_page_range: ({ max }) => `must be a whole number from 1 to ${max}`,
  too_deep: ({ levels }) => `must not be nested deeper than ${levels} levels`,
  list_out_of_range: ({ min, max }) => `must be a list of ${min} to ${max} items`,
  list_too_long: ({ items, characters }) =>
    `must have at most ${items} entries of at most ${characters} characters`,

  not_email: "must be an email address",
  not_mail_domain: "must be an email domain such as example.com",
  not_slug: "must contain only lowercase letters, digits and hyphens",
  not_domain: "must be a domain name such as example.com; write international names as A-labels (xn--…)",
  reserved_slug: "is reserved",
  retired_slug:
    "belonged to a deleted provider with another issuer or other endpoints: only a platform administrator may reuse it",
  not_p256_private_key: "must be a P-256 private key in PEM (PKCS #8)",
  slug_without_provider: "must be absent: no provider has this slug",
  retired_provider: "is the slug of a deleted provider",
  not_provider_of_slug: "is not the provider that has this slug",
  needed_by_preset: ({ preset }) => `is required for the preset ${preset}`,
  not_of_preset: ({ preset }) => `is not a setting of the preset ${preset}`,
  slug_of_preset: ({ preset }) => `is reserved for the preset ${preset}`,
  fixed_while_linked: ({ links }) => `cannot change while accounts are linked (${links})`,
  still_linked: ({ links }) =>
    `still has linked accounts (${links}): delete the provider separately, with links=delete`,
  not_client_id: "must consist of visible ASCII characters and spaces",
  reserved_client_id: "is reserved for this server",
  client_id_is_address:
    "must not begin with https://: such client IDs are reserved for clients with a metadata document",
  client_id_like_id: "must not be a UUID; leave it out to generate one",
  not_http_url: "must be an http or https URL",
  not_scope: "must be a scope: printable ASCII without spaces, quotes or backslashes",
  not_response_type: "must be code",
  not_resource: "must be an absolute URI without a fragment",
  scope_of_server: "is defined by this server, not by an API",
  scope_not_of_api: "must be one of the API's scopes",
  reserved_role: ({ values }) => `must not look like a built-in role (${values.join(", ")})`,
  custom_role: `is a custom role: add it to “${fieldLabels.role_ids}” (role_ids) instead`,
  not_trimmed: "must not begin or end with a space",
  contains_comma: "must not contain a comma",
  uuid_as_name: "must not be a UUID",
  not_permission_word: "must be printable ASCII without spaces, quotes or backslashes",
  reserved_identifier: "is a URI of this server or reserved for it",
  not_list_of_resources: "must be a list of absolute URIs",
  not_colour: "must be a color such as #0e6655",
  not_picture: ({ url_characters, picture_characters }) =>
    `must be an https URL of at most ${url_characters} characters, or a data:image/png;base64 picture of at most ${picture_characters}`,
  not_visible_text: ({ characters }) => `must be text of 1 to ${characters} visible characters`,
  unknown_brand_member: "is not a field of a brand",
  not_description: ({ characters }) =>
    `must be text of 1 to ${characters} characters without control characters`,
  not_description_or_object: ({ characters }) =>
    `must be text of 1 to ${characters} characters without control characters, or an object`,
  no_language: "must name a language",
  not_language_tag: "must be a language tag such as en",

  not_attribute_name: "must be lowercase letters, digits and underscores, beginning with a letter",
  not_claim_name: "must be ASCII letters, digits and . _ - : /, beginning with a letter",
  reserved_claim: ({ claim }) =>
    `is not allowed: tokens already use the claim ${claim}, or a name that looks like it`,
  not_pattern:
    "must consist of characters, classes such as [a-z] and counts such as {2,8}, without groups or alternatives",
  not_of_pattern: ({ pattern }) => `must match the pattern ${pattern}`,
  not_number: "must be a number",
  not_date: "must be a date such as 2026-11-28",
  used_by_organizations: ({ definitions, records }) =>
    `is used by organizations (definitions: ${definitions}, records with a value: ${records}): remove their definitions and values, or choose another name`,
  no_attribute: ({ names }) =>
    `is not an attribute of this kind of record: define it first${names.length === 0 ? "" : `, or use one of ${names.join(", ")}`}`,
  no_searchable_attribute: ({ names }) =>
    `must be a searchable attribute and a value, such as department:Sales; ${names.length === 0 ? "no attribute is searchable" : `searchable: ${names.join(", ")}`}`,
  no_provided_attribute: ({ names }) =>
    `must be a user attribute that only providers can write${names.length === 0 ? ": define it first" : `: ${names.join(", ")}`}`,
  claim_of_protocol: ({ claim }) =>
    `is not allowed: the protocol uses the claim ${claim}, or trust in the email address depends on it`,
  provider_alone:
    "may contain provider only as the single writer, and only for attributes of users and memberships",
  values_of_others:
    "cannot become provider while records have values from other writers: remove those values first",
  claim_without_scope: "must name a scope: a claim about a person needs their consent",
  attribute_of_users: "must be absent: only the server defines attributes of users",
  written_by_admins: "must not include user: users write attributes of their own user record only",
  fixed_for_standard: "is fixed for a ready-made attribute",
  address_not_own: "must not be an email address, except the user's own verified one",
  attribute_not_yours: "cannot be written by you: its definition says who may write it",

  not_printable_ascii: "must be printable ASCII without spaces",
  wildcard: "must not contain a wildcard: redirect URIs are compared as exact strings",
  fragment: "must not contain a fragment",
  backslash: "must not contain a backslash",
  not_absolute_uri: "must be an absolute URI",
  no_host: "must name a host after ://",
  user_information: "must not contain a username or password",
  response_parameter: ({ parameter }) =>
    `must not contain the parameter ${parameter}, which is reserved for the response`,
  not_https: "must be https unless the host is loopback",
  not_web_uri: "must be http or https unless the app is native",
  no_private_scheme: "must have a private-use scheme with a dot, such as com.example.app:/",
  not_https_url: "must be an https URL without user information or a fragment",
  receives_no_notices:
    "must be set before the app can receive sign-out notices; the server also needs logout_notices in POSTERN_EXTRA_FEATURES",
  not_endpoint_url: `must be an https URL without user information or a fragment; http requires “${fieldLabels.internal}” (internal), which a platform administrator sets`,
  not_notice_url: `must be an https URL without user information or a fragment; http requires “${fieldLabels.backchannel_logout_internal}” (backchannel_logout_internal), which a platform administrator sets`,
  issuer_with_query: "must have no query: an issuer never has one",
  not_loopback: "must be on 127.0.0.1, [::1] or localhost, with a port from 1 to 65535",
  foreign_scheme: "must have a private-use scheme in lowercase, followed by :/",

  password_too_short: ({ characters }) => `must be at least ${characters} characters`,
  password_too_long: ({ bytes }) => `must be at most ${bytes} bytes of UTF-8`,
  password_too_common: "is too common",
  not_password:
    'must be text, a hash from another system as { "hash": "…" }, or { "argon2id": "$argon2id$…" } within the cost limits',
  unusual_totp: "must be an otpauth URI with SHA-1, 6 digits and a period of 30 seconds",
  unusual_passkey: "must be a passkey with an Ed25519, P-256 or RSA key that no other account has",
  passkey_without_handle:
    "requires a webauthn_user_handle of 32 bytes unless the passkey is only a second factor",
  external_id_missing: "is required unless id is set",
  appoints_nobody: "is not imported: an import appoints no platform administrators",
  other_person: "does not match the user who was already imported from this source with this external_id",
  passkey_of_other_host: ({ host }) => `must be for this server's host, ${host}`,
  foreign_hash: ({ scheme, part, byte, reason }) =>
    `is not a hash that this server can verify (${scheme}): ${part} at byte ${byte} ${reason}`,
  password_is_hash:
    'is a password hash, not a password; import it as { "hash": "…" }, or send the user a reset link',
  secret_is_hash: "is a hash, not a secret; create a new secret",
  current_password_missing: "is required to change the password or email address",
  current_password_needless: "is accepted only with a new password or email address",
  current_password_wrong: "is wrong",
  public_app: "is a public app, which has no secret",
  secret_of_public_app: "must be absent: a public app has no secret",
  same_secret: ({ number }) => `is the same secret as number ${number}`,
  method_of_confidential_app: "must be none or absent: a public app cannot authenticate",
  method_of_public_app: "is only for public apps",

  private_key: "must be a public key; this private key was exposed and must be replaced",
  not_pem: "must be a public key in PEM",
  not_jwk: "must be a JWK",
  not_public_jwk: "must be a public JWK with kty RSA (n, e) or EC (crv, x, y)",
  unsupported_key: "must be an RSA key or a key of the curve P-256, P-384 or P-521",
  key_too_short: ({ bits, actual }) => `must have at least ${bits} bits; this key has ${actual}`,
  key_too_long: ({ bits, actual }) => `must have at most ${bits} bits; this key has ${actual}`,
  unusual_exponent: "must have an odd public exponent from 65537 to 4294967296",
  keys_missing: "is required unless jwks_uri is set: the app authenticates with its own key",
  no_key_of_algorithms: ({ algorithms }) => `has no key for ${algorithms.join(" or ")}`,
  public_by_profile:
    "must be false, because the security profile of the app or the server does not allow public apps",
  redirect_insecure:
    "must be an https URL whose host is not loopback, because the security profile of the app or the server requires it",
  not_switched_on: ({ names }) =>
    `requires ${names.join(", ")}, which is switched off in the server settings`,
  not_type_of_key: ({ key_type }) => `must be ${key_type}, the type of the key`,
  not_algorithm_of_key: ({ algorithms }) => `must be ${algorithms.join(" or ")} for this key`,
  algorithm_of_other_type: ({ key_type }) => `is not supported by a key of type ${key_type}`,
  key_id_repeated: "is the same as that of an earlier key pair",
  not_key_set: 'must be a JWK set: { "keys": [ … ] }',
  too_many_keys: ({ keys }) => `must have at most ${keys} keys`,
  no_signing_key: ({ algorithm }) =>
    `has no signing key on this server; a platform administrator can create one with postern keys rotate --algorithm ${algorithm}`,
  key_id_missing: "is required if there is more than one key",
  key_id_of_earlier_key: "is the same as that of an earlier key",
  unsupported_client_key: "must be an RSA key, or a key of the curve P-256, P-384, P-521 or Ed25519",
  id_of_other_key_pair: "is already used by another key pair",

  immutable: "cannot change after creation",
  fixed: "cannot change",
  fixed_for_key: "cannot change: create another key",
  fixed_for_membership: "cannot change: create another membership",
  fixed_for_secret: "cannot change: create another secret",
  not_by_document: "must be metadata_document",
  not_for_open_client: "cannot be set on an open client",
  fixed_for_linked_account: "cannot change: link another account",
  fixed_for_link_in_file: "cannot change: remove the link first",
  key_revoked: "cannot change: revoking a key cannot be undone",
  key_pair_revoked: "cannot change: revoking a key pair cannot be undone",
  app_revoked: "cannot change: revoking an app cannot be undone",

  excluded_by: ({ field }) => `must be absent when ${field} is present`,
  scope_not_allowed: "must be one of allowed_scopes",
  not_factor_of_user: "is not a passkey or authenticator app of this user",
  second_owner: "must be absent when user_id is present: a key has one owner",
  no_owner: "is required unless organization_id is present",
  no_record: ({ record }) => `there is no ${record} with this ID`,
  no_record_of_name: ({ record, field }) => `there is no ${record} with this ${spelled(field)}, name or ID`,
  no_record_but: ({ record, field, names }) =>
    `there is no ${record} with this ${spelled(field)}, name or ID; similar: ${names.join(", ")}`,
  several_of_name: ({ record, field, names }) =>
    `matches more than one ${record}: use the ${spelled(field)}, such as ${names.join(", ")}`,
  no_user_of_email: "there is no user with this email address",
  belongs_to_user: "already belongs to a user",
  not_in_consent: "is not in the consent; only the user who gave the consent can add to it",
  not_organization_member: "must be a member of the organization",
  already_member: "already belongs to a member",
  not_yet_member: "can be set only after the person has become a member",
  switched_off: "is switched off",

  platform_only: "only a platform administrator may set it",
  platform_chooses: "only a platform administrator may choose it",
  platform_adds_by_id: "only a platform administrator may add users by ID: set email to invite the person",
  full_credential_only: "can be set only by a platform administrator whose credential has every permission",
  own_full_credential_only: "can be changed only with a credential that has all your permissions",
  others_full_credential_only:
    "can be changed for another user only by a platform administrator whose credential has every permission",
  administrator_full_credential_only:
    "can be switched on for an administrator only with a credential that has every permission",
  beyond_credential: "would grant more than this credential allows",
  not_you: "must be you",
  email_locked: ({ seconds }) =>
    `was recently restored by its owner with a link from an email: for ${durationIn(seconds, "en")}, only another administrator may change it`,
  self_switched_off: "you can't deactivate yourself",
  own_in_manifest: "is your own, which a manifest can't change; change it in your account",
  platform_switched_off:
    "was switched off by a platform administrator: only a platform administrator may switch it on again",
  name_of_switched_off: "cannot change while the account is switched off by a platform administrator",
  not_manager_of_both: "can be changed only by an owner or admin of both organizations",
  no_permission_there: ({ permission }) =>
    `must be an organization in which you have the permission ${permission}`,
  role_above: "is above your own role",
  role_above_or_beyond: "is above your own role, or grants permissions that you do not have",
  role_beyond: ({ permissions }) => `would grant permissions that you do not have: ${permissions.join(", ")}`,
  permission_not_held: "is a permission that you do not have",
  scope_of_no_app: "must be in the allowed scopes of an app whose scopes you may grant",
  scope_reserved: "is reserved: only a platform administrator may grant it",
  scope_beyond_owner: "exceeds the permissions of the owner",
  scope_beyond_you: "exceeds your permissions",
  scope_without_owner: "has no effect: the key has no owner",
  scope_defined_elsewhere:
    "is the scope of an app of another owner or of an API of the server: only a platform administrator may grant it",
  identifier_beyond_organization:
    "must begin with the identifier of an API of the organization, or with urn:postern:organization: and its ID; only a platform administrator may register others",
  app_of_other_organization: "must be an app of the organization that owns the API",
  resource_not_yours:
    "must be an API that you may change; for any other API, only its owner may allow the app to request tokens",
  resources_beyond_organization:
    "may contain only APIs that the organization's apps implement; only a platform administrator may allow others",
  vouched_for: "is protected because the app is first_party: only a platform administrator may change it",
  vouched_for_secrets: "is a first_party app: only a platform administrator may add secrets to it",

  json_name_repeated: "appears twice in its object",
  json_name_reserved: "is not allowed as a field name",
  json_number_inexact: "is a number that cannot be stored exactly",
  unknown_filter: ({ filters }) => `is not a filter of this list; the filters are ${filters.join(", ")}`,
  unknown_parameter: "is not a parameter of this request",
  no_pages: "is not accepted here: an export has no pages",

  now_empty: "was cleared at the same time",
  now: ({ value }) => `is ${value} now`,

  not_manifest: ({ reason }) => `this is neither JSON nor YAML (${reason})`,
  unresolved_aliases: "has aliases that cannot be resolved",
  not_sections: "must be an object whose fields are sections, such as apps",
  unknown_section: ({ sections }) => `is not a section; the sections are ${sections.join(", ")}`,
  given_by_name: ({ name }) => `must be given by name, as ${name}`,
  not_name_of_record: ({ record, field }) => `must be the ${spelled(field)} of ${withArticle(record)}`,
  no_record_called: ({ record, field, name }) =>
    `there is no ${record} with the ${spelled(field)} ${JSON.stringify(name)}`,
  ambiguous: ({ count, record }) => `is required: the owner has ${count} ${record}s with this name`,
  not_of_manifest: ({ record, id }) =>
    `names an existing ${record} that no manifest created under this name: if you trust its settings and credentials, add "id": "${id}" to the entry`,
  name_moved: ({ record, id, was }) =>
    `meant the ${record} ${was} in an earlier manifest, but another ${record} has this name now: if you trust that one, add "id": "${id}" to its entry`,
  other_id: ({ record, id }) =>
    `differs from the id of the existing ${record}, ${id}: remove "id" from the entry`,
  same_record: ({ record, path }) => `is the same ${record} as ${path}`,
  last_administrator: "is the last active platform administrator: appoint another one first",
  last_owner: ({ organization }) => `is the last owner of ${organization}: appoint another one first`,
  still_owns: ({ apps, service_accounts }) =>
    `still owns ${owned(apps, service_accounts)}: name another owner in the file, or remove them first`,
  still_has: ({ apps, service_accounts }) => `still has ${owned(apps, service_accounts)}: remove them first`,
  resource_of_other_app: ({ client_id }) =>
    `has the same metadata.resource as the app ${client_id}: introspection needs it to be unique`,
};
