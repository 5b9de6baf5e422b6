/** The fields of a user beyond spec 2.1. */
import { bool, defaulting, object, optional, signature, string, time, uuid } from "./field.ts";
import { attributes, tokens_not_before } from "./table.ts";

export const userMembers = {
  email_key: string("case-insensitive key of the email address", { internal: true, unique: true }),
  tokens_not_before,
  ended_grants: optional(
    object(
      "apps, token families and sessions whose tokens are revoked, each with the time up to which they are revoked",
      { internal: true },
    ),
  ),
  reset_links_not_before: optional(
    time("password reset links created up to this time are invalid", { internal: true }),
  ),
  email_verified_at: optional(
    time("when the email address was last verified; null if never", { immutable: true, auto_create: true }),
  ),
  webauthn_handle: optional(
    signature("32 random bytes that identify the user to passkeys (WebAuthn 5.4.3)", {
      internal: true,
      unique: true,
    }),
  ),
  device_notices: defaulting(
    bool("whether the user is notified of sign-ins from new devices", { internal: true }),
    true,
  ),
  language: optional(
    string("language of the user's last sign-in; English when empty", {
      internal: true,
      max_length: 16,
    }),
  ),
  email_locked_until: optional(
    time("the time before which the email address cannot change", { internal: true }),
  ),
  deletion_at: optional(time("when the user will be deleted, as requested", { internal: true })),
  attributes,
  username_key: optional(
    string("comparison key of the attribute preferred_username, which look-alikes share", {
      internal: true,
      unique: true,
    }),
  ),
  factors_reset_at: optional(
    time("when an administrator reset all second factors; empty after the mailbox is verified again", {
      internal: true,
    }),
  ),
} as const;

/** The fields of a linked account beyond spec 2.4. */
export const linkedAccountMembers = {
  email: optional(
    string("email address that the provider last returned; null if none", {
      immutable: true,
      auto_create: true,
      max_length: 320,
    }),
  ),
  provider_id: optional(
    uuid("provider through which the account was linked; null if no provider with this slug exists yet", {
      immutable: true,
    }),
  ),
  last_used_at: optional(
    time("time of the last sign-in with the account; null if never", { immutable: true, auto_create: true }),
  ),
} as const;

export const consentMembers = {
  document_hash: optional(
    string("hash of the app's metadata document that the user consented to", { internal: true }),
  ),
  scopes_by_resource: optional(
    object(
      "scopes that the user consented to, by the ID of the API or organization; null means that the consent covers all of them",
      {
        internal: true,
      },
    ),
  ),
} as const;
