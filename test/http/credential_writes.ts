/**
 * Lists which writes change a sign-in method or a record that acts for its user, and which notices they send
 * (SS-8). Nothing here is derived from the code, so an unlisted write fails the test.
 */
import type { NoticeKind } from "../../src/records/names/notices.ts";

/** The notice that a route sends; `nothing` if it changes no sign-in method. */
type Notices = readonly NoticeKind[] | "nothing";

/** Routes on which users write, except for the console and the management API, whose writes are below. */
export const routesOfPeople: Readonly<Record<string, Notices>> = {
  "POST /login": ["new_device"],
  "POST /sign-in/second-factor": ["recovery_code_used", "wrong_factor", "new_device", "device_remembered"],
  "POST /account/authenticator-apps/new": "nothing",
  "POST /account/authenticator-apps/mailbox": "nothing",
  "POST /account/authenticator-apps": ["factor_added", "recovery_codes"],
  "POST /account/authenticator-apps/:id/rename": "nothing",
  "POST /account/authenticator-apps/:id/remove": ["factor_removed"],
  // The codes are shown, and become valid once they are confirmed.
  "POST /account/recovery-codes/new": "nothing",
  "POST /account/recovery-codes/discard": "nothing",
  "POST /account/recovery-codes/confirm": ["factor_added", "passkey_added", "recovery_codes"],
  "POST /sign-in/lost-factors": ["recovery_started", "recovery_finished"],
  "POST /cancel-recovery": ["recovery_cancelled", "removal_cancelled"],
  "POST /account/recovery/cancel": ["recovery_cancelled", "removal_cancelled"],
  "POST /account/lost-passkey": ["removal_started"],
  "POST /not-me": ["secured"],
  "POST /logout": "nothing",
  "POST /language": "nothing",
  "POST /consent": "nothing",
  "POST /organization": "nothing",
  "POST /forgot-password": "nothing",
  "POST /reset-password": ["password"],
  // These routes create an account. A password is its first sign-in method, so no notice is sent; a passkey
  // is reported.
  "POST /setup": ["passkey_added"],
  "POST /invitation": ["passkey_added"],
  "POST /account": ["email", "email_here"],
  "POST /account/data": "nothing",
  "POST /account/deletion": ["deletion"],
  "POST /sign-in/undo-deletion": "nothing",
  // The user has not proved control of the new mailbox yet.
  "POST /account/email": "nothing",
  "POST /account/email/mailbox": "nothing",
  "POST /account/email/cancel": "nothing",
  "POST /account/email/confirm": ["email", "email_here"],
  // The user has just proved control of the restored mailbox.
  "POST /undo-email": ["email", "secured"],
  "POST /account/password": ["password"],
  // A passkey that may have been copied is refused.
  "POST /sign-in/passkey": ["passkey_copied"],
  "POST /sign-in/passkey-offer": "nothing",
  "POST /account/passkeys/new": "nothing",
  "POST /account/passkeys/mailbox": "nothing",
  "POST /account/passkeys/upgrades": "nothing",
  "POST /sign-in/passkey-upgrade": ["passkey_added"],
  "POST /account/passkeys": ["passkey_added"],
  "POST /account/passkeys/:id/rename": "nothing",
  "POST /account/passkeys/:id/remove": ["passkey_removed"],
  "POST /account/sessions/:id/end": "nothing",
  "POST /account/sessions/devices/:id/forget": "nothing",
  "POST /account/sessions/devices/forget-all": "nothing",
  "POST /account/sessions/notices": "nothing",
  "POST /account/sessions/end-others": "nothing",
  "POST /account/sessions/end-all": "nothing",
  "POST /account/apps/:id/withdraw": "nothing",
  // Redirects to the provider. The link is created when the user returns.
  "POST /account/linked-accounts/link": "nothing",
  "POST /account/linked-accounts/:id/unlink": ["link_removed"],
  "POST /account/api-keys/new": ["api_key"],
  // The key could act for the user; its end needs no notice.
  "POST /account/api-keys/:id/revoke": "nothing",
  "POST /account/organizations/:id/leave": "nothing",
};

/** Notices that the server sends on its own schedule. */
export const timedNotices: readonly NoticeKind[] = [
  "recovery_halfway",
  "recovery_ready",
  "removal_halfway",
  "removal_ready",
  "removal_finished",
];

/** The notice of each management operation, by table; tables without sign-in methods send none. */
export const operations: Readonly<Record<string, Readonly<Record<string, Notices>> | "nothing">> = {
  users: {
    create: "nothing",
    "update password": ["password"],
    "update email": ["email", "email_here"],
    "update name": "nothing",
    remove: ["deleted"],
    "act reset_factors": ["factors_reset"],
    "act remove_factor": ["passkey_removed"],
  },
  oauth_accounts: { create: ["link_added"], remove: ["link_removed"] },
  api_keys: {
    create: ["api_key"],
    "update scopes": ["api_key_changed"],
    "update expires_at": ["api_key_changed"],
    "update name": "nothing",
    revoke: "nothing",
  },
  organizations: "nothing",
  memberships: "nothing",
  oauth_apps: "nothing",
  oauth_app_secrets: "nothing",
  oauth_auth_codes: "nothing",
  oauth_tokens: "nothing",
  oauth_consents: "nothing",
  sessions: "nothing",
  service_accounts: "nothing",
  service_account_key_pairs: "nothing",
  signing_keys: "nothing",
  resources: "nothing",
  attribute_definitions: "nothing",
  providers: "nothing",
  roles: "nothing",
  groups: "nothing",
  group_members: "nothing",
  app_roles: "nothing",
  webhook_endpoints: "nothing",
};
