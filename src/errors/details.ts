/** What a refusal of management says as a whole, beside the fields that are wrong. */
import type { Codes, GivenParams, MessageOf } from "./messages.ts";

const none = {} as const;

export const detailCodes = {
  // Records.
  invalid_record: { record: "record" },
  not_found: { record: "record", name: "text" },
  not_id_of_record: { record: "record" },
  no_owner_of_id: { record: "record" },
  record_exists: { record: "record", fields: "texts" },
  reference_gone: none,
  stale: none,
  changed_without_end: none,
  no_creation: { record: "record" },
  no_change: { record: "record" },
  no_deletion: { record: "record" },
  no_revocation: { record: "record" },
  wrong_deletion: { record: "record" },
  successor_required: { apps: "number", service_accounts: "number" },
  secret_exists: none,
  too_many_secrets: { secrets: "number" },
  resource_taken: none,
  consent_withdrawn: none,
  password_changed_meanwhile: none,
  passwords_throttled: none,
  last_administrator: none,
  last_owner: none,

  // What the caller may not do.
  scope_needed: { scope: "text" },
  permission_needed: { permission: "text" },
  permission_needed_in_organization: { permission: "text" },
  platform_only: none,
  not_yours_to_do: none,
  not_yours_to_give: none,
  not_yours_to_make: { record: "record" },
  not_yours_to_change: none,
  app_beyond_you: { permissions: "texts" },
  key_beyond_you: { permissions: "texts" },
  service_account_beyond_you: { permissions: "texts" },
  membership_above: { role: "text" },
  vouched_for_secrets: none,
  platform_switched_off: none,
  platform_makes_apps_without_organization: none,
  platform_makes_users: none,
  platform_changes_users: none,
  platform_deletes_users: none,
  self_deletion: none,
  platform_makes_organizations: none,
  owner_deletes_organization: none,
  platform_links_accounts: none,
  platform_rotates_signing_keys: none,
  consent_page_only: none,

  // Invitations.
  person_invites: none,
  member_by_consent: none,
  already_member: none,
  invited_above: none,
  invitation_above: { role: "text" },
  too_many_invitations: { invitations: "number" },
  invitations_throttled: none,
  mail_off: { organization_id: "text" },

  // Requests.
  no_bearer: none,
  inactive_credential: none,
  not_signed_in: none,
  foreign_origin: none,
  content_type: { types: "texts" },
  too_large: { bytes: "number" },
  not_utf8: none,
  not_json: none,
  not_json_object: none,
  json_too_deep: { levels: "number" },
  json_not_kept: none,
  nothing_taken: none,
  wrong_filter: none,
  wrong_parameter: none,
  parameter_repeated: none,
  wrong_limit: { max: "number" },
  wrong_cursor: none,
  wrong_idempotency_key: none,
  request_in_progress: none,
  idempotency_mismatch: none,
  form_in_progress: none,

  // Manifests.
  invalid_manifest: none,
  manifest_refused: none,
  changed_while_applied: { record: "record" },
} as const satisfies Codes;

export type DetailCodes = typeof detailCodes;
export type DetailCode = keyof DetailCodes;

export type Detail<Code extends DetailCode = DetailCode> = MessageOf<DetailCodes, Code>;

export function detail<Code extends DetailCode>(
  code: Code,
  ...[params]: GivenParams<DetailCodes, Code>
): Detail<Code> {
  return { code, params: params ?? none } as Detail<Code>;
}
