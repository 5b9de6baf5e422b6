/** The fields of a user beyond spec 2.1. */
import { bool, defaulting, object, optional, signature, string, time, uuid } from "./field.ts";
import { tokens_not_before } from "./table.ts";

export const userMembers = {
  email_key: string("the e-mail without regard to case", { internal: true, unique: true }),
  tokens_not_before,
  ended_grants: optional(
    object("apps, families and sessions whose tokens are dead, up to which moment", { internal: true }),
  ),
  reset_links_not_before: optional(
    time("links for a new password made up to this moment are dead", { internal: true }),
  ),
  email_verified_at: optional(
    time("when the user last proved that the mailbox is theirs", { immutable: true, auto_create: true }),
  ),
  webauthn_handle: optional(
    signature("32 random bytes by which passkeys know the user (WebAuthn 5.4.3)", {
      internal: true,
      unique: true,
    }),
  ),
  device_notices: defaulting(
    bool("the user is mailed about sign-ins from new devices", { internal: true }),
    true,
  ),
  language: optional(
    string("the language in which the user last signed in; English when empty", {
      internal: true,
      max_length: 16,
    }),
  ),
  email_locked_until: optional(time("the address does not change before", { internal: true })),
  deletion_at: optional(time("the user asked to be deleted then", { internal: true })),
  factors_reset_at: optional(
    time("an administrator took all second factors then; empty once the mailbox is proved after it", {
      internal: true,
    }),
  ),
} as const;

/** The fields of a linked account beyond spec 2.4. */
export const linkedAccountMembers = {
  email: optional(
    string("the e-mail that the provider last told", { immutable: true, auto_create: true, max_length: 320 }),
  ),
  provider_id: optional(
    uuid("the provider record that it was made for; that of the name in `provider` when absent", {
      immutable: true,
    }),
  ),
  last_used_at: optional(time("last sign-in through it", { immutable: true, auto_create: true })),
} as const;

export const consentMembers = {
  document_hash: optional(string("of the app's document that the person allowed", { internal: true })),
  scopes_by_resource: optional(
    object("which of the scopes were allowed for each API, by its id; null: for every API", {
      internal: true,
    }),
  ),
} as const;
