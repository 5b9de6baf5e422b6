/** A detail describes the whole error, in addition to field errors. */
import { type Codes, type GivenParams, type MessageOf, plain } from "./messages.ts";

export const detailCodes = {
  ...plain("reference_gone", "stale", "changed_without_end", "secret_exists", "resource_taken", "id_taken"),
  ...plain("consent_withdrawn", "password_changed_meanwhile", "passwords_throttled", "last_administrator"),
  ...plain("last_owner", "last_way_in"),
  invalid_record: { record: "record" },
  not_found: { record: "record", name: "text" },
  not_id_of_record: { record: "record" },
  no_owner_of_id: { record: "record" },
  record_exists: { record: "record", fields: "texts" },
  role_of_organization: { role: "text", organization: "text" },
  role_of_members: { role: "text", organization: "text" },
  no_creation: { record: "record" },
  no_change: { record: "record" },
  no_deletion: { record: "record" },
  no_revocation: { record: "record" },
  no_such_act: { record: "record" },
  wrong_deletion: { record: "record" },
  wrong_act: { record: "record" },
  successor_required: { apps: "number", service_accounts: "number" },
  too_many_secrets: { secrets: "number" },
  provider_linked: { links: "number" },
  provider_links_remain: { links: "number" },

  ...plain("reset_in_browser", "own_factors", "last_factor"),
  reset_takes_second_factor: { seconds: "number" },
  ...plain("platform_only", "not_yours_to_do", "not_yours_to_give", "not_yours_to_change"),
  ...plain("vouched_for_secrets", "platform_switched_off", "platform_makes_apps_without_organization"),
  ...plain("platform_makes_users", "platform_changes_users", "platform_deletes_users", "self_deletion"),
  ...plain("platform_makes_organizations", "owner_deletes_organization", "platform_links_accounts"),
  ...plain("platform_rotates_signing_keys", "consent_page_only"),
  scope_needed: { scope: "text" },
  permission_needed: { permission: "text" },
  permission_needed_in_organization: { permission: "text" },
  not_yours_to_make: { record: "record" },
  app_beyond_you: { permissions: "texts" },
  key_beyond_you: { permissions: "texts" },
  service_account_beyond_you: { permissions: "texts" },
  membership_above: { role: "text" },

  ...plain(
    "person_invites",
    "member_by_consent",
    "already_member",
    "invited_above",
    "invited_alike",
    "invitations_throttled",
    "tests_throttled",
  ),
  ...plain("reset_mail_off", "reset_mails_throttled"),
  invitation_above: { role: "text" },
  too_many_invitations: { invitations: "number" },
  mail_off: { organization_id: "text" },

  ...plain("no_bearer", "inactive_credential", "not_signed_in", "foreign_origin", "not_utf8", "not_json"),
  ...plain("not_json_object", "json_not_kept", "nothing_taken", "wrong_filter", "wrong_parameter"),
  ...plain("parameter_repeated", "wrong_cursor", "wrong_idempotency_key", "request_in_progress"),
  ...plain("idempotency_mismatch", "form_in_progress", "too_many_to_sort", "search_too_wide"),
  ...plain("events_gone", "feed_restored", "too_many_readers", "nothing_to_replay"),
  too_many_wait: { max: "number" },
  ...plain("wrong_operations"),
  quota_exceeded: { requests: "number", seconds: "number" },
  proof_refused: { why: "text" },
  sign_in_insufficient: { acr: "text", max_age: "number" },
  content_type: { types: "texts" },
  too_large: { bytes: "number" },
  json_too_deep: { levels: "number" },
  wrong_limit: { max: "number" },

  ...plain("invalid_manifest", "manifest_refused"),
  changed_while_applied: { record: "record" },
} as const satisfies Codes;

export type DetailCodes = typeof detailCodes;
export type DetailCode = keyof DetailCodes;

export type Detail<Code extends DetailCode = DetailCode> = MessageOf<DetailCodes, Code>;

export function detail<Code extends DetailCode>(
  code: Code,
  ...[params]: GivenParams<DetailCodes, Code>
): Detail<Code> {
  return { code, params: params ?? {} } as Detail<Code>;
}
