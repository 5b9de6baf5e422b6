import type {
  OwnEventType,
  RecordChange,
  SecurityEventType,
} from "../../../records/definition/event_types.ts";
import type { FeedEventType } from "../../../records/names/feed_events.ts";

/** Types of the feed that are neither special audit events nor plain changes of a record. */
type FurtherFeedType =
  | Exclude<FeedEventType, OwnEventType | SecurityEventType | `${string}.${RecordChange}`>
  | "invitation.revoked";

/** Titles of audit events and of the feed: special events, and plain changes of a record. */
export type EventTitles = {
  readonly own: Readonly<Record<SecurityEventType | OwnEventType, string>>;
  readonly feed: Readonly<Record<FurtherFeedType, string>>;
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
    "app.logout_tested": "Test notice sent to app",
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
    "delivery.retried": "Delivery sent again",
    "webhook_endpoint.disabled": "Webhook endpoint deactivated",
    "webhook_endpoint.replayed": "Events sent to endpoint again",
    "webhook_endpoint.secret_rotated": "Webhook secret replaced",
    "webhook_endpoint.tested": "Test event sent",
    open_clients_swept: "Unused clients removed",
    "passkey.created": "Passkey added",
    "passkey.deleted": "Passkey removed",
    "passkey.updated": "Passkey renamed",
    "recovery.created": "Account recovery started",
    "recovery.deleted": "Account recovery canceled",
    "recovery.finished": "Account recovery finished",
    "recovery_code.used": "Recovery code used",
    "recovery_codes.created": "Recovery codes created",
    records_exported: "Records exported",
    records_imported: "Records imported",
    "user.access_revoked": "Access revoked",
    "user.data_exported": "Data of a user exported",
    "user.deletion_asked": "Account deletion requested",
    "user.imported": "User imported",
    "user.deletion_undone": "Account deletion canceled",
    "user.factor_removed": "Second factor removed",
    "user.factors_reset": "Second factors reset",
  },
  feed: {
    "user.deactivated": "User deactivated",
    "user.reactivated": "User reactivated",
    "user.email_changed": "Email address changed",
    "user.email_verified": "Email address verified",
    "user.credential_added": "Credential added",
    "user.credential_changed": "Credential replaced",
    "user.credential_removed": "Credential removed",
    "session.started": "Session started",
    "session.ended": "Session ended",
    "sign_in.failed": "Sign-in failed",
    "provider.linked": "Account at a provider linked",
    "provider.unlinked": "Account at a provider unlinked",
    "consent.granted": "Consent granted",
    "token_family.replayed": "Code or refresh token used twice",
    "organization.deactivated": "Organization deactivated",
    "organization.reactivated": "Organization reactivated",
    "invitation.revoked": "Invitation revoked",
    "app.deactivated": "App deactivated",
    "app.reactivated": "App reactivated",
  },
  change: {
    created: (one) => `${one} created`,
    updated: (one) => `${one} changed`,
    deleted: (one) => `${one} deleted`,
    revoked: (one) => `${one} revoked`,
  },
};
