import type { OwnEventType, RecordChange, SecurityEventType } from "../../../records/event_types.ts";

/** What audit events are called: those of their own kind, and the plain changes of a record. */
export type EventTitles = {
  readonly own: Readonly<Record<SecurityEventType | OwnEventType, string>>;
  readonly change: { readonly [Change in RecordChange]: (one: string) => string };
};

export const eventTitles: EventTitles = {
  own: {
    sign_in: "Sign-in",
    sign_out: "Sign-out",
    step_up: "Identity confirmed again",
    password_reset_request: "Password reset requested",
    registration_request: "Registration requested",
    password_reset: "Password reset",
    "passkey.refused": "Passkey rejected",
    consent: "Consent decision",
    client_authentication: "App authentication",
    service_account_authentication: "Service account authentication",
    built_in_app_made: "Built-in app created",
    client_registered: "Client registered itself",
    client_document_stored: "Client document stored",
    client_document_changed: "Client document changed",
    client_document_gone: "Client document missing",
    code_replay: "Authorization code used twice",
    refresh_replay: "Refresh token used twice",
    token_issued: "Token issued",
    token_revoked: "Token revoked by its app",
    revocation_failed: "Revocation failed",
    introspection: "Token introspected",
    "app.access_ended": "App access removed",
    "app.registered": "App registered from its document",
    "authenticator_app.created": "Authenticator app added",
    "authenticator_app.deleted": "Authenticator app removed",
    "authenticator_app.updated": "Authenticator app renamed",
    "device.created": "Device remembered",
    "device.deleted": "Device forgotten",
    "invitation.accepted": "Invitation accepted",
    "invitation.created": "Invitation sent",
    "invitation.withdrawn": "Invitation withdrawn",
    "linked_account.tokens_revoked": "Provider tokens revoked",
    open_clients_swept: "Unused clients removed",
    "passkey.created": "Passkey added",
    "passkey.deleted": "Passkey removed",
    "passkey.updated": "Passkey renamed",
    "recovery.created": "Account recovery started",
    "recovery.deleted": "Account recovery cancelled",
    "recovery.finished": "Account recovery finished",
    "recovery_code.used": "Recovery code used",
    "recovery_codes.created": "Recovery codes created",
    records_exported: "Records exported",
    "user.deletion_asked": "Account deletion requested",
    "user.deletion_undone": "Account deletion cancelled",
    "user.factor_removed": "Second factor removed",
    "user.factors_reset": "Second factors reset",
  },
  change: {
    created: (one) => `${one} created`,
    updated: (one) => `${one} changed`,
    deleted: (one) => `${one} deleted`,
    revoked: (one) => `${one} revoked`,
  },
};
