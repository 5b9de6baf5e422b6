import type { AccountEventKind } from "../../../records/definition/account_events.ts";

const kinds: Record<AccountEventKind, string> = {
  sign_in: "Signed in",
  sign_in_failed: "Failed sign-in",
  password_reset: "Password reset by email",
  password_changed: "Password changed",
  email_changed: "Email changed",
  "passkey.created": "Passkey added",
  "passkey.updated": "Passkey renamed",
  "passkey.deleted": "Passkey removed",
  "passkey.refused": "Passkey rejected",
  "authenticator_app.created": "Authenticator app added",
  "authenticator_app.updated": "Authenticator app renamed",
  "authenticator_app.deleted": "Authenticator app removed",
  "recovery_codes.created": "New recovery codes",
  "recovery_code.used": "Recovery code used",
  "linked_account.created": "Account at a provider linked",
  "linked_account.deleted": "Account at a provider unlinked",
  "user.factors_reset": "Second factors and passkeys reset",
  "user.factor_removed": "One second factor removed",
  "device.created": "Browser remembered",
  "device.deleted": "Browser no longer remembered",
  "recovery.created": "Recovery of lost factors requested",
  "recovery.deleted": "Recovery of lost factors canceled",
  "recovery.finished": "Lost factors removed by a recovery",
};

export const securityWords = {
  lead: "How you sign in, and recent activity of your account.",
  password: {
    have: "You can sign in with your email and a password.",
    set: "Set a password",
    single:
      "You have only one way to sign in. If you lose it, you lose the account. Set a password, or add another way.",
  },
  recent: {
    title: "Recent activity",
    none: "No activity yet.",
    what: "What happened",
    when: "When",
    byOther: "An administrator",
    kinds,
  },
};

export type SecurityWords = typeof securityWords;
