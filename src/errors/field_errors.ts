import { type Codes, type GivenParams, type MessageOf, plain } from "./messages.ts";

export const fieldErrorCodes = {
  ...plain("required", "required_text", "not_null", "empty", "taken", "repeated", "server_set"),
  ...plain("unknown_field", "not_taken", "not_of_import", "deleted_after_import", "in_the_future"),
  listed_by_apis: { names: "texts" },
  not_applied: { record: "record" },
  only_of_source: { source: "text" },

  ...plain("not_string", "not_text", "not_integer", "not_boolean", "not_time", "not_uuid", "not_list"),
  ...plain("not_list_of_strings", "not_list_of_objects", "not_object", "not_signature"),
  ...plain("unstorable", "invisible_characters"),
  not_one_of: { values: "texts" },
  not_event_type: { similar: "texts" },

  too_short: { characters: "number" },
  too_long: { characters: "number" },
  too_many_bytes: { bytes: "number" },
  too_small: { min: "number" },
  too_large: { max: "number" },
  out_of_range: { min: "number", max: "number" },
  out_of_page_range: { max: "number" },
  too_many_to_sort: { max: "number" },
  ...plain("not_one_beginning", "needs_events"),
  too_many_endpoints: { max: "number" },
  too_many_records: { max: "number" },
  before_oldest: { position: "number" },
  after_newest: { position: "number" },
  search_too_wide: { max: "number" },
  more_than_quota: { max: "number" },
  too_deep: { levels: "number" },
  reserved_role: { values: "texts" },
  ...plain("custom_role", "not_trimmed", "contains_comma", "uuid_as_name"),
  list_too_long: { items: "number", characters: "number" },
  list_out_of_range: { min: "number", max: "number" },

  ...plain(
    "not_email",
    "not_mail_domain",
    "not_slug",
    "not_domain",
    "not_client_id",
    "reserved_client_id",
    "client_id_like_id",
    "client_id_is_address",
  ),
  ...plain("not_http_url", "not_scope", "not_response_type", "not_resource", "not_list_of_resources"),
  ...plain("not_colour", "unknown_brand_member", "no_language", "not_language_tag"),
  not_picture: { url_characters: "number", picture_characters: "number" },
  not_visible_text: { characters: "number" },
  not_description: { characters: "number" },
  not_description_or_object: { characters: "number" },

  ...plain("not_attribute_name", "not_claim_name", "not_pattern", "not_number", "not_date"),
  ...plain("claim_without_scope", "attribute_of_users", "written_by_admins", "fixed_for_standard"),
  ...plain("attribute_not_yours", "address_not_own", "provider_alone", "values_of_others"),
  reserved_claim: { claim: "text" },
  used_by_organizations: { definitions: "number", records: "number" },
  not_of_pattern: { pattern: "text" },
  no_attribute: { names: "texts" },
  no_searchable_attribute: { names: "texts" },
  no_provided_attribute: { names: "texts" },
  claim_of_protocol: { claim: "text" },

  ...plain("not_printable_ascii", "wildcard", "fragment", "backslash", "not_absolute_uri", "no_host"),
  ...plain(
    "user_information",
    "not_https",
    "not_web_uri",
    "no_private_scheme",
    "not_https_url",
    "not_notice_url",
    "not_endpoint_url",
    "receives_no_notices",
  ),
  ...plain("issuer_with_query", "not_loopback", "foreign_scheme"),
  response_parameter: { parameter: "text" },

  ...plain("password_too_common", "not_password", "current_password_missing", "current_password_needless"),
  ...plain(
    "password_is_hash",
    "secret_is_hash",
    "current_password_wrong",
    "public_app",
    "secret_of_public_app",
  ),
  ...plain("method_of_confidential_app", "method_of_public_app"),
  ...plain(
    "unusual_totp",
    "unusual_passkey",
    "passkey_without_handle",
    "external_id_missing",
    "other_person",
    "appoints_nobody",
  ),
  passkey_of_other_host: { host: "text" },
  foreign_hash: { scheme: "text", part: "text", byte: "number", reason: "text" },
  password_too_short: { characters: "number" },
  password_too_long: { bytes: "number" },
  same_secret: { number: "number" },

  ...plain("private_key", "not_pem", "not_jwk", "not_public_jwk", "unsupported_key", "unusual_exponent"),
  ...plain("key_id_repeated", "id_of_other_key_pair", "not_key_set", "key_id_missing"),
  ...plain("key_id_of_earlier_key", "unsupported_client_key", "keys_missing"),
  no_key_of_algorithms: { algorithms: "texts" },
  too_many_keys: { keys: "number" },
  no_signing_key: { algorithm: "text" },
  key_too_short: { bits: "number", actual: "number" },
  key_too_long: { bits: "number", actual: "number" },
  not_type_of_key: { key_type: "text" },
  not_algorithm_of_key: { algorithms: "texts" },
  algorithm_of_other_type: { key_type: "text" },

  ...plain("reserved_slug", "retired_slug", "not_p256_private_key", "slug_without_provider"),
  ...plain("retired_provider", "not_provider_of_slug"),
  needed_by_preset: { preset: "text" },
  not_of_preset: { preset: "text" },
  slug_of_preset: { preset: "text" },
  fixed_while_linked: { links: "number" },
  still_linked: { links: "number" },

  ...plain("public_by_profile", "redirect_insecure"),
  not_switched_on: { names: "texts" },

  ...plain("immutable", "fixed", "fixed_for_key", "fixed_for_membership", "fixed_for_secret"),
  ...plain("not_for_open_client", "not_by_document"),
  ...plain("fixed_for_linked_account", "fixed_for_link_in_file", "key_revoked", "key_pair_revoked"),
  ...plain("app_revoked"),

  ...plain(
    "not_factor_of_user",
    "second_owner",
    "no_owner",
    "no_user_of_email",
    "belongs_to_user",
    "not_in_consent",
  ),
  ...plain("not_organization_member", "already_member", "not_yet_member", "switched_off"),
  ...plain(
    "scope_not_allowed",
    "scope_of_server",
    "scope_not_of_api",
    "reserved_identifier",
    "not_permission_word",
  ),
  excluded_by: { field: "text" },
  not_json: { line: "number", column: "number" },
  no_record: { record: "record" },
  no_record_of_name: { record: "record", field: "text" },
  no_record_but: { record: "record", field: "text", names: "texts" },
  several_of_name: { record: "record", field: "text", names: "texts" },

  ...plain("platform_only", "platform_chooses", "platform_adds_by_id", "full_credential_only"),
  ...plain("own_full_credential_only", "others_full_credential_only", "administrator_full_credential_only"),
  ...plain("beyond_credential", "not_you", "self_switched_off", "own_in_manifest", "platform_switched_off"),
  email_locked: { seconds: "number" },
  ...plain("name_of_switched_off", "not_manager_of_both", "role_above", "role_above_or_beyond"),
  ...plain("permission_not_held", "scope_of_no_app", "scope_reserved", "scope_beyond_owner"),
  ...plain("scope_beyond_you", "scope_without_owner", "scope_defined_elsewhere"),
  ...plain("identifier_beyond_organization", "app_of_other_organization", "resource_not_yours"),
  ...plain("resources_beyond_organization", "vouched_for", "vouched_for_secrets"),
  no_permission_there: { permission: "text" },
  role_beyond: { permissions: "texts" },

  ...plain("json_name_repeated", "json_name_reserved", "json_number_inexact", "unknown_parameter"),
  ...plain("no_pages"),
  unknown_filter: { filters: "texts" },

  // For a form whose record was changed while the form was open: the value that the record now has.
  ...plain("now_empty"),
  now: { value: "text" },

  ...plain("unresolved_aliases", "not_sections", "last_administrator"),
  not_manifest: { reason: "text" },
  unknown_section: { sections: "texts" },
  given_by_name: { name: "text" },
  not_name_of_record: { record: "record", field: "text" },
  no_record_called: { record: "record", field: "text", name: "text" },
  ambiguous: { count: "number", record: "record" },
  not_of_manifest: { record: "record", id: "text" },
  name_moved: { record: "record", id: "text", was: "text" },
  other_id: { record: "record", id: "text" },
  same_record: { record: "record", path: "text" },
  last_owner: { organization: "text" },
  still_owns: { apps: "number", service_accounts: "number" },
  still_has: { apps: "number", service_accounts: "number" },
  resource_of_other_app: { client_id: "text" },
} as const satisfies Codes;

export type FieldErrorCodes = typeof fieldErrorCodes;
export type FieldErrorCode = keyof FieldErrorCodes;

export type Reason<Code extends FieldErrorCode = FieldErrorCode> = MessageOf<FieldErrorCodes, Code>;

/** One invalid field: `path` is a JSON Pointer (RFC 6901) into the input. */
export type FieldError<Code extends FieldErrorCode = FieldErrorCode> = Reason<Code> & {
  readonly path: string;
};

export function reason<Code extends FieldErrorCode>(
  code: Code,
  ...[params]: GivenParams<FieldErrorCodes, Code>
): Reason<Code> {
  return { code, params: params ?? {} } as Reason<Code>;
}

export function fieldError<Code extends FieldErrorCode>(
  path: string,
  code: Code,
  ...[params]: GivenParams<FieldErrorCodes, Code>
): FieldError<Code> {
  return { path, code, params: params ?? {} } as FieldError<Code>;
}

/** Returns the name, shortened to 100 characters, as a segment of a JSON Pointer (RFC 6901, section 3). */
export function pointerStep(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}

export function unknownField(name: string, path = ""): FieldError {
  return fieldError(`${path}/${pointerStep(name)}`, "unknown_field");
}

export function unknownParameter(name: string): FieldError {
  return fieldError(`/${pointerStep(name)}`, "unknown_parameter");
}
