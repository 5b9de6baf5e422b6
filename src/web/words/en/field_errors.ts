import type { FieldErrorSentences } from "../sentences.ts";
import { withArticle } from "./record_nouns.ts";

/** A field in running text. */
const spelled = (field: string) => (field === "email" ? "e-mail" : field);

/** "2 apps and 1 service account". */
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
  not_taken: "is not taken here",

  not_string: "must be a string",
  not_text: "must be text that is not empty",
  not_integer: "must be an integer",
  not_boolean: "must be true or false",
  not_time: "must be a time such as 2026-01-31T12:00:00Z",
  not_uuid: "must be a UUID",
  not_list: "must be a list",
  not_list_of_strings: "must be a list of strings",
  not_list_of_objects: "must be a list of objects",
  not_object: "must be an object",
  not_json: "must be JSON",
  not_signature: "must be 32 bytes",
  not_one_of: ({ values }) => `must be one of ${values.join(", ")}`,
  unstorable: "must not contain NUL or broken Unicode",
  invisible_characters: "must not contain control, direction or invisible characters",

  too_short: ({ characters }) => `must have at least ${characters} characters`,
  too_long: ({ characters }) => `must be at most ${characters} characters`,
  too_many_bytes: ({ bytes }) => `must have at most ${bytes} bytes`,
  too_small: ({ min }) => `must be at least ${min}`,
  too_large: ({ max }) => `must be at most ${max}`,
  out_of_range: ({ min, max }) => `must be an integer from ${min} to ${max}`,
  out_of_page_range: ({ max }) => `must be a whole number from 1 to ${max}`,
  too_deep: ({ levels }) => `must not be nested deeper than ${levels} levels`,
  list_too_long: ({ items, characters }) =>
    `must have at most ${items} entries of at most ${characters} characters`,

  not_email: "must be an e-mail address",
  not_slug: "must be lower-case letters, digits and hyphens",
  not_client_id: "must be visible ASCII characters and spaces",
  reserved_client_id: "is reserved for this server itself",
  client_id_like_id: "must not be a UUID; leave it out to have one made",
  not_http_url: "must be an http or https URL",
  not_scope: "must be a scope: printable ASCII without space, quote and backslash",
  not_response_type: "must be code",
  not_resource: "must be an absolute URI without a fragment",
  not_list_of_resources: "must be a list of absolute URIs",
  not_colour: "must be a colour such as #0e6655",
  not_picture: ({ url_characters, picture_characters }) =>
    `must be an https URL of at most ${url_characters} characters, or a data:image/png;base64 picture of at most ${picture_characters}`,
  not_visible_text: ({ characters }) =>
    `must be a text of at most ${characters} visible characters, not empty`,
  unknown_brand_member: "is not a member of a brand",
  not_description: ({ characters }) =>
    `must be a text of 1 to ${characters} characters without control characters`,
  not_description_or_object: ({ characters }) =>
    `must be a text of 1 to ${characters} characters without control characters, or an object`,
  no_language: "must name a language",
  not_language_tag: "must be a language tag such as en",

  not_printable_ascii: "must be printable ASCII without spaces",
  wildcard: "must not contain a wildcard: redirect URIs are compared as exact strings",
  fragment: "must not contain a fragment",
  backslash: "must not contain a backslash",
  not_absolute_uri: "must be an absolute URI",
  no_host: "must name a host after ://",
  user_information: "must not contain user information",
  response_parameter: ({ parameter }) =>
    `must not carry the parameter ${parameter}: it belongs to the answer`,
  not_https: "must be https unless the host is loopback",
  not_web_uri: "must be http or https unless the app is native",
  no_private_scheme: "must have a private-use scheme with a dot, such as com.example.app:/",
  not_https_url: "must be an https URL without user information and fragment",
  not_loopback: "must be on 127.0.0.1, [::1] or localhost, with a port from 1 to 65535",
  foreign_scheme: "must have a scheme of its own, in lower case, with :/ behind it",

  password_too_short: ({ characters }) => `must be ${characters} characters or more`,
  password_too_long: ({ bytes }) => `must be at most ${bytes} bytes of UTF-8`,
  password_too_common: "is one of those that are guessed first",
  not_password: 'must be text or { "argon2id": "$argon2id$…" } with affordable parameters',
  current_password_missing: "must be given with a new password or e-mail",
  current_password_needless: "is for whoever gives a new password or e-mail",
  current_password_wrong: "is not the password",
  public_app: "is a public app, which has no secret",
  secret_of_public_app: "must be absent: a public app has no secret",
  same_secret: ({ number }) => `is the same secret as number ${number}`,
  method_of_confidential_app: "must be none or absent: a public app has nothing to prove itself by",
  method_of_public_app: "is for public apps alone",

  private_key: "must be a public key; this is a private one and should be replaced",
  not_pem: "must be a public key in PEM",
  not_jwk: "must be a JWK",
  not_public_jwk: "must be a public JWK with kty RSA (n, e) or EC (crv, x, y)",
  unsupported_key: "must be an RSA key or a key of the curve P-256, P-384 or P-521",
  key_too_short: ({ bits, actual }) => `must have ${bits} bits or more; this key has ${actual}`,
  key_too_long: ({ bits, actual }) => `must have at most ${bits} bits; this key has ${actual}`,
  unusual_exponent: "must have an odd public exponent from 65537 to 4294967296",
  not_type_of_key: ({ key_type }) => `must be ${key_type}, as the key is`,
  not_algorithm_of_key: ({ algorithms }) => `must be ${algorithms.join(" or ")} for this key`,
  algorithm_of_other_type: ({ key_type }) => `does not fit a key of type ${key_type}`,
  key_id_repeated: "is the same as that of an earlier key pair",
  not_key_set: 'must be a JWK set: { "keys": [ … ] }',
  too_many_keys: ({ keys }) => `must have at most ${keys} keys`,
  no_signing_key: ({ algorithm }) =>
    `has no key of this server yet; a platform administrator makes one with postern keys rotate --algorithm ${algorithm}`,
  key_id_missing: "must be given where there is more than one key",
  key_id_of_earlier_key: "is the same as that of an earlier key",
  unsupported_client_key: "must be an RSA key, or a key of the curve P-256, P-384, P-521 or Ed25519",
  id_of_other_key_pair: "is that of another key pair",

  immutable: "cannot change after creation",
  fixed: "cannot change",
  fixed_for_key: "cannot change: make another key",
  fixed_for_membership: "cannot change: make another membership",
  fixed_for_secret: "cannot change: make another secret",
  fixed_for_linked_account: "cannot change: link another account",
  fixed_for_link_in_file: "cannot change: remove the link first",
  key_revoked: "cannot change: a key is revoked for good",
  key_pair_revoked: "cannot change: a key pair is revoked for good",
  app_revoked: "cannot change: an app is revoked for good",

  excluded_by: ({ field }) => `must be absent beside ${field}`,
  scope_not_allowed: "must be one of allowed_scopes",
  second_owner: "must be absent beside user_id: a key has one owner",
  no_owner: "must be given, or organization_id",
  no_record: ({ record }) => `there is no ${record} of this id`,
  no_record_of_name: ({ record, field }) => `there is no ${record} of this ${spelled(field)} or id`,
  no_user_of_email: "there is no user of this e-mail",
  belongs_to_user: "belongs to a user already",
  not_in_consent: "is not in the consent; only its user can add to it",
  not_organization_member: "must be a member of the organization",
  already_member: "is that of a member",
  not_yet_member: "can be given once they are a member",
  switched_off: "is switched off",

  platform_only: "only a platform administrator may set it",
  platform_chooses: "only a platform administrator may choose it",
  platform_adds_by_id: "only a platform administrator adds people by id: give an email, and they are asked",
  full_credential_only: "is set only with a platform administrator's credential that lets everything through",
  own_full_credential_only: "is changed only with a credential that lets through all that you may do",
  others_full_credential_only:
    "of somebody else is changed only with a platform administrator's credential that lets everything through",
  administrator_full_credential_only:
    "of an administrator is switched on only with a credential that lets everything through",
  beyond_credential: "would grant more than this credential lets through",
  not_you: "must be you",
  self_switched_off: "nobody switches themselves off",
  platform_switched_off: "was switched off by a platform administrator: only one may switch it on again",
  name_of_switched_off: "stays while a platform administrator has the account switched off",
  not_manager_of_both: "is changed by who is owner or admin of both organizations",
  no_permission_there: ({ permission }) => `must be one where you hold ${permission}`,
  role_above: "is above your own",
  role_above_or_beyond: "is above your own, or grants what you do not hold",
  role_beyond: ({ permissions }) => `would grant what you do not hold: ${permissions.join(", ")}`,
  permission_not_held: "is a permission that you do not hold",
  scope_of_no_app: "is allowed to no app through which you may give it",
  scope_reserved: "is reserved: only a platform administrator may give it",
  scope_beyond_owner: "is wider than what the owner may do",
  scope_beyond_you: "is wider than what you may do",
  scope_without_owner: "gives power to nobody: there is no owner",
  scope_defined_elsewhere: "is already defined elsewhere: only a platform administrator may give it",
  resources_beyond_organization:
    "may name what apps of the organization are; more only a platform administrator may allow",
  vouched_for: "a platform administrator vouched for this app (first_party): only one may change it",
  vouched_for_secrets:
    "a platform administrator vouched for this app (first_party): only one may give it secrets",

  json_name_repeated: "stands twice in its object",
  json_name_reserved: "is no name for a member",
  json_number_inexact: "is a number that cannot be kept exactly",
  unknown_filter: ({ filters }) => `is no filter of this list; there are ${filters.join(", ")}`,
  unknown_parameter: "is no parameter of a deletion",
  no_pages: "is not taken here: an export has no pages",

  now_empty: "is empty now",
  now: ({ value }) => `is ${value} now`,

  not_manifest: ({ reason }) => `this is neither JSON nor YAML (${reason})`,
  unresolved_aliases: "its aliases cannot be resolved",
  not_sections: "must be an object of sections",
  unknown_section: ({ sections }) => `is not a section; there are ${sections.join(", ")}`,
  given_by_name: ({ name }) => `is given by name, as ${name}`,
  not_name_of_record: ({ record, field }) => `must be the ${spelled(field)} of ${withArticle(record)}`,
  no_record_called: ({ record, field, name }) =>
    `there is no ${record} with the ${spelled(field)} ${JSON.stringify(name)}`,
  ambiguous: ({ count, record }) => `is required: the owner has ${count} ${record}s of this name`,
  same_record: ({ record, path }) => `is the same ${record} as ${path}`,
  last_administrator: "is the last active platform administrator: make another one first",
  last_owner: ({ organization }) => `is the last owner of ${organization}: make another one first`,
  still_owns: ({ apps, service_accounts }) =>
    `still owns ${owned(apps, service_accounts)}: name another owner in the file, or remove them first`,
  still_has: ({ apps, service_accounts }) => `still has ${owned(apps, service_accounts)}: remove them first`,
  resource_of_other_app: ({ client_id }) =>
    `has a metadata.resource that the app ${client_id} has: introspection tells them apart by it`,
};
