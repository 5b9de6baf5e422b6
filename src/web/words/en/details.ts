import { durationIn } from "../../html/formats.ts";
import type { DetailSentences } from "../parts/sentences.ts";
import { withArticle } from "./record_nouns.ts";

const count = (number: number, one: string, other: string) => `${number} ${number === 1 ? one : other}`;

export const details: DetailSentences = {
  invalid_record: ({ record }) => `the ${record} is not valid`,
  not_found: ({ record, name }) => `there is no ${record} ${JSON.stringify(name)}`,
  not_id_of_record: ({ record }) => `there is no ${record} with this ID; IDs are UUIDs`,
  no_owner_of_id: ({ record }) => `no record with this ID can own the ${record}`,
  record_exists: ({ record, fields }) => `another ${record} has the same ${fields.join(" and ")}`,
  role_of_organization: ({ role, organization }) =>
    `the name looks like that of the role ${JSON.stringify(role)} of the organization ${organization}; choose another name, or rename that role`,
  role_of_members: ({ role, organization }) =>
    `members of the organization ${organization} have the role ${JSON.stringify(role)}, which looks like this name; give these members another role, or choose another name`,
  id_taken: "another record has the same ID",
  reference_gone: "a record that this one refers to was deleted",
  stale: "the record has changed since it was read; read it again and repeat your change",
  changed_without_end: "the record keeps changing; try again",
  no_creation: ({ record }) => `${withArticle(record)} cannot be created here`,
  no_change: ({ record }) => `${withArticle(record)} cannot be changed here`,
  no_deletion: ({ record }) => `${withArticle(record)} cannot be deleted here`,
  no_revocation: ({ record }) => `${withArticle(record)} cannot be revoked here`,
  no_such_act: ({ record }) => `this operation is not available for ${withArticle(record)}`,
  wrong_deletion: ({ record }) => `the ${record} cannot be deleted with these parameters`,
  wrong_act: ({ record }) => `the operation on the ${record} does not accept these parameters`,
  provider_linked: ({ links }) =>
    `${count(links, "account is", "accounts are")} linked to this provider: the settings that identify these accounts cannot change`,
  provider_links_remain: ({ links }) =>
    `${count(links, "account is", "accounts are")} linked to this provider: send links=delete to delete the links too`,
  successor_required: ({ apps, service_accounts }) =>
    `the user created ${count(apps, "app", "apps")} and ${count(service_accounts, "service account", "service accounts")} of organizations: name a successor, who takes them over`,
  secret_exists: "the app already has this secret",
  too_many_secrets: ({ secrets }) => `an app has at most ${secrets} valid secrets; revoke one first`,
  resource_taken: "another app has the same metadata.resource",
  consent_withdrawn: "the consent was withdrawn; only the user can grant it again",
  password_changed_meanwhile: "the password was changed at the same time; try again",
  passwords_throttled: "too many wrong passwords; try again later",
  last_administrator: "this is the last active platform administrator: appoint another one first",
  last_way_in:
    "this is your only sign-in method: set a password, add a passkey or link another account first",
  last_owner: "this is the last owner of the organization: appoint another one first",

  scope_needed: ({ scope }) => `this requires the scope ${scope}`,
  permission_needed: ({ permission }) => `this requires the permission ${permission}`,
  permission_needed_in_organization: ({ permission }) =>
    `this requires the permission ${permission} in the organization`,
  reset_in_browser:
    "second factors can be reset only by an administrator who is signed in to the console, or on the command line",
  own_factors: "only another administrator may reset your own second factors",
  reset_takes_second_factor: ({ seconds }) =>
    `this requires your own second factor, verified within the last ${durationIn(seconds, "en")}; an account without one cannot do this`,
  last_factor:
    "this is the user's last second factor: reset all factors instead; the user then verifies the email address at the next sign-in",
  platform_only: "only a platform administrator may do this",
  not_yours_to_do: "you can't do this",
  not_yours_to_give: "you can't grant this",
  not_yours_to_make: ({ record }) => `you can't create ${withArticle(record)}`,
  not_yours_to_change: "you can't change any field of this record",
  app_beyond_you: ({ permissions }) =>
    `this app has permissions that you don't have: ${permissions.join(", ")}`,
  key_beyond_you: ({ permissions }) =>
    `this key has permissions that you don't have: ${permissions.join(", ")}`,
  service_account_beyond_you: ({ permissions }) =>
    `this service account has permissions that you don't have: ${permissions.join(", ")}`,
  membership_above: ({ role }) => `the role ${role} is above your own role in the organization`,
  vouched_for_secrets: "the app is first_party: only a platform administrator may add secrets to it",
  platform_switched_off:
    "the record was switched off by a platform administrator: only a platform administrator may delete it",
  platform_makes_apps_without_organization:
    "only a platform administrator may create an app without an organization",
  platform_makes_users: "only a platform administrator may create users",
  platform_changes_users: "only a platform administrator may change another user",
  platform_deletes_users: "only a platform administrator may delete users",
  self_deletion: "you can't delete yourself",
  platform_makes_organizations: "only a platform administrator may create organizations",
  owner_deletes_organization: "only an owner or a platform administrator may delete an organization",
  platform_links_accounts:
    "only a platform administrator may link an account that the user has not signed in to",
  platform_rotates_signing_keys: "only a platform administrator may rotate the signing keys",
  consent_page_only: "a consent can be granted only by the user, on the consent page",

  person_invites: "only a user may invite others",
  member_by_consent: "people become members only with their consent",
  already_member: "the person is already a member",
  invited_above: "the person is already invited to a role above your own",
  invited_alike:
    "an open invitation exists for an email address that looks the same; withdraw that invitation first",
  invitation_above: ({ role }) =>
    `the role ${role} of the invitation is above your own role in the organization`,
  too_many_invitations: ({ invitations }) => `${invitations} invitations are open: withdraw one first`,
  invitations_throttled: "too many invitations; try again later",
  tests_throttled: "a test was just sent to the app; try again shortly",
  mail_off: ({ organization_id }) =>
    `invitations are sent by email, and this server does not send email: create a link at /console/organizations/${organization_id}/invite`,

  no_bearer: "the Authorization header must be Bearer, followed by an access token or API key",
  inactive_credential: "the access token or API key is not active, or is not meant for this API",
  proof_refused: ({ why }) => `the DPoP proof was refused: ${why}`,
  sign_in_insufficient: ({ acr, max_age }) =>
    `this requires a sign-in that is at most ${max_age} seconds old and has the level ${acr}`,
  not_signed_in: "not signed in, and no access token or API key was sent",
  foreign_origin:
    "with a browser session, changes must come from a page of this server; check Sec-Fetch-Site and Origin",
  content_type: ({ types }) => `the content type must be ${types.join(" or ")}, in UTF-8`,
  too_large: ({ bytes }) => `the body is larger than ${bytes} bytes`,
  not_utf8: "the body is not UTF-8",
  not_json: "the body is not JSON",
  not_json_object: "the body must be a JSON object",
  json_too_deep: ({ levels }) => `the body is nested deeper than ${levels} levels`,
  json_not_kept: "the body contains a number or text that cannot be stored exactly",
  nothing_taken: "this operation accepts no input",
  quota_exceeded: ({ requests, seconds }) =>
    `this credential may send at most ${requests} requests in ${seconds} seconds`,
  wrong_operations: "the request is not valid; nothing was changed",
  reset_mail_off: "this server does not send email, so it cannot send a link",
  reset_mails_throttled: "too many password reset emails were sent; try again later",
  wrong_filter: "a query parameter of the list is not valid",
  wrong_parameter: "a query parameter is not valid",
  parameter_repeated: "a query parameter is repeated",
  wrong_limit: ({ max }) => `limit must be a whole number from 1 to ${max}`,
  too_many_to_sort: "the list is too long for this order: filter it first, or sort by created_at",
  search_too_wide: "too many names match: type more of the name",
  wrong_cursor: "the cursor does not belong to this list; leave it out to start again",
  wrong_idempotency_key: "the Idempotency-Key header must be one key of 1 to 255 visible characters",
  request_in_progress: "the first request with this idempotency key is still in progress",
  idempotency_mismatch: "this idempotency key was used for a request with another body",
  events_gone: "events after this position were deleted",
  feed_restored: "the server was restored from a backup that does not contain the event of this cursor",
  nothing_to_replay: "no event matches the request",
  too_many_wait: ({ max }) =>
    `${max} events are waiting for this endpoint; try again when they have been delivered`,
  too_many_readers: "too many requests are already waiting for events",
  form_in_progress: "this form was already sent and is still being processed; check the list in a moment",

  invalid_manifest: "the manifest cannot be applied:",
  manifest_refused: "the manifest contains changes that are not allowed",
  changed_while_applied: ({ record }) =>
    `${withArticle(record)} was changed at the same time: apply the file again`,
};
