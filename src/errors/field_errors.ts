/** What can be wrong with a field: the codes, which the management API answers, with their parameters. */
import type { Codes, GivenParams, MessageOf } from "./messages.ts";

const none = {} as const;

export const fieldErrorCodes = {
  required: none,
  required_text: none,
  not_null: none,
  empty: none,
  taken: none,
  repeated: none,
  server_set: none,
  unknown_field: none,
  not_taken: none,

  // What kind of value it must be.
  not_string: none,
  not_text: none,
  not_integer: none,
  not_boolean: none,
  not_time: none,
  not_uuid: none,
  not_list: none,
  not_list_of_strings: none,
  not_list_of_objects: none,
  not_object: none,
  not_json: none,
  not_signature: none,
  not_one_of: { values: "texts" },
  unstorable: none,
  invisible_characters: none,

  // How much of it there may be.
  too_short: { characters: "number" },
  too_long: { characters: "number" },
  too_many_bytes: { bytes: "number" },
  too_small: { min: "number" },
  too_large: { max: "number" },
  out_of_range: { min: "number", max: "number" },
  out_of_page_range: { max: "number" },
  too_deep: { levels: "number" },
  list_too_long: { items: "number", characters: "number" },

  // Text of a certain form.
  not_email: none,
  not_slug: none,
  not_client_id: none,
  reserved_client_id: none,
  client_id_like_id: none,
  not_http_url: none,
  not_scope: none,
  not_response_type: none,
  not_resource: none,
  not_list_of_resources: none,
  not_colour: none,
  not_picture: { url_characters: "number", picture_characters: "number" },
  not_visible_text: { characters: "number" },
  unknown_brand_member: none,
  not_description: { characters: "number" },
  not_description_or_object: { characters: "number" },
  no_language: none,
  not_language_tag: none,

  // Redirect URIs.
  not_printable_ascii: none,
  wildcard: none,
  fragment: none,
  backslash: none,
  not_absolute_uri: none,
  no_host: none,
  user_information: none,
  response_parameter: { parameter: "text" },
  not_https: none,
  not_web_uri: none,
  no_private_scheme: none,

  // Passwords and secrets.
  password_too_short: { characters: "number" },
  password_too_long: { bytes: "number" },
  password_too_common: none,
  not_password: none,
  current_password_missing: none,
  current_password_needless: none,
  current_password_wrong: none,
  public_app: none,
  secret_of_public_app: none,
  same_secret: { number: "number" },

  // Public keys.
  private_key: none,
  not_pem: none,
  not_jwk: none,
  not_public_jwk: none,
  unsupported_key: none,
  key_too_short: { bits: "number", actual: "number" },
  key_too_long: { bits: "number", actual: "number" },
  weak_exponent: none,
  not_type_of_key: { key_type: "text" },
  not_algorithm_of_key: { algorithms: "texts" },
  algorithm_of_other_type: { key_type: "text" },
  key_id_repeated: none,
  id_of_other_key_pair: none,

  // What stays as it is.
  immutable: none,
  fixed: none,
  fixed_for_key: none,
  fixed_for_membership: none,
  fixed_for_secret: none,
  fixed_for_linked_account: none,
  fixed_for_link_in_file: none,
  key_revoked: none,
  key_pair_revoked: none,
  app_revoked: none,

  // Beside other fields and records.
  excluded_by: { field: "text" },
  second_owner: none,
  no_owner: none,
  no_record: { record: "record" },
  no_record_of_name: { record: "record", field: "text" },
  no_user_of_email: none,
  belongs_to_user: none,
  not_in_consent: none,
  not_organization_member: none,
  already_member: none,
  not_yet_member: none,
  switched_off: none,

  // What somebody may give.
  platform_only: none,
  platform_chooses: none,
  platform_adds_by_id: none,
  full_credential_only: none,
  own_full_credential_only: none,
  others_full_credential_only: none,
  administrator_full_credential_only: none,
  beyond_credential: none,
  not_you: none,
  self_switched_off: none,
  platform_switched_off: none,
  name_of_switched_off: none,
  not_manager_of_both: none,
  no_permission_there: { permission: "text" },
  role_above: none,
  role_above_or_beyond: none,
  role_beyond: { permissions: "texts" },
  permission_not_held: none,
  scope_of_no_app: none,
  scope_reserved: none,
  scope_beyond_owner: none,
  scope_beyond_you: none,
  scope_without_owner: none,
  scope_defined_elsewhere: none,
  resources_beyond_organization: none,
  vouched_for: none,
  vouched_for_secrets: none,

  // Requests: JSON, filters, pages.
  json_name_repeated: none,
  json_name_reserved: none,
  json_number_inexact: none,
  unknown_filter: { filters: "texts" },
  unknown_parameter: none,
  no_pages: none,

  // A form that somebody else's change came before.
  now_empty: none,
  now: { value: "text" },

  // Manifests.
  not_manifest: { reason: "text" },
  unresolved_aliases: none,
  not_sections: none,
  unknown_section: { sections: "texts" },
  given_by_name: { name: "text" },
  not_name_of_record: { record: "record", field: "text" },
  no_record_called: { record: "record", field: "text", name: "text" },
  ambiguous: { count: "number", record: "record" },
  same_record: { record: "record", path: "text" },
  last_administrator: none,
  last_owner: { organization: "text" },
  still_owns: { apps: "number", service_accounts: "number" },
  still_has: { apps: "number", service_accounts: "number" },
  resource_of_other_app: { client_id: "text" },
} as const satisfies Codes;

export type FieldErrorCodes = typeof fieldErrorCodes;
export type FieldErrorCode = keyof FieldErrorCodes;

/** What is wrong, wherever it is. */
export type Reason<Code extends FieldErrorCode = FieldErrorCode> = MessageOf<FieldErrorCodes, Code>;

/** One field that is wrong: `path` is a JSON pointer (RFC 6901) into what was sent. */
export type FieldError<Code extends FieldErrorCode = FieldErrorCode> = Reason<Code> & {
  readonly path: string;
};

export function reason<Code extends FieldErrorCode>(
  code: Code,
  ...[params]: GivenParams<FieldErrorCodes, Code>
): Reason<Code> {
  return { code, params: params ?? none } as Reason<Code>;
}

export function fieldError<Code extends FieldErrorCode>(
  path: string,
  code: Code,
  ...[params]: GivenParams<FieldErrorCodes, Code>
): FieldError<Code> {
  return { path, code, params: params ?? none } as FieldError<Code>;
}
