import { recordNouns } from "../../errors/messages.ts";
import { type ResourceType, tableOfResourceType } from "./permissions.ts";

const securityEventTypes = [
  "sign_in",
  "sign_out",
  "step_up",
  "password_reset_request",
  "registration_request",
  "password_reset",
  "passkey.refused",
  "consent",
  "client_authentication",
  "service_account_authentication",
  "built_in_app_made",
  "client_registered",
  "client_document_stored",
  "client_document_changed",
  "client_document_gone",
  "code_replay",
  "refresh_replay",
  "token_issued",
  "token_revoked",
  "revocation_failed",
  "introspection",
] as const;
export type SecurityEventType = (typeof securityEventTypes)[number];

const recordChanges = ["created", "updated", "deleted", "revoked"] as const;
export type RecordChange = (typeof recordChanges)[number];

const ownEventTypes = [
  "app.access_ended",
  "app.logout_tested",
  "app.registered",
  "authenticator_app.created",
  "authenticator_app.deleted",
  "authenticator_app.updated",
  "device.created",
  "device.deleted",
  "invitation.accepted",
  "invitation.created",
  "invitation.withdrawn",
  "linked_account.tokens_revoked",
  "delivery.retried",
  "open_clients_swept",
  "passkey.created",
  "passkey.deleted",
  "passkey.updated",
  "recovery.created",
  "recovery.deleted",
  "recovery.finished",
  "recovery_code.used",
  "recovery_codes.created",
  "records_exported",
  "records_imported",
  "webhook_endpoint.disabled",
  "webhook_endpoint.replayed",
  "webhook_endpoint.secret_rotated",
  "webhook_endpoint.tested",
  "user.access_revoked",
  "user.data_exported",
  "user.deletion_asked",
  "user.imported",
  "user.deletion_undone",
  "user.factor_removed",
  "user.factors_reset",
] as const;
export type OwnEventType = (typeof ownEventTypes)[number];

type Snake<T extends string> = T extends `${infer First} ${infer Rest}` ? `${First}_${Snake<Rest>}` : T;

export type ManagedNoun = Snake<Lowercase<(typeof recordNouns)[(typeof tableOfResourceType)[ResourceType]]>>;

const managed = Object.values(tableOfResourceType).map((table) =>
  recordNouns[table].toLowerCase().replaceAll(" ", "_"),
);

export const changeEventTypes: readonly string[] = [
  ...ownEventTypes.filter((type) => type !== "records_exported"),
  ...managed.flatMap((kind) => recordChanges.map((change) => `${kind}.${change}`)),
];

/** Rows that other versions of this server wrote may have other types. */
export const eventTypes: readonly string[] = [
  ...new Set([
    ...securityEventTypes,
    ...ownEventTypes,
    ...managed.flatMap((kind) => recordChanges.map((change) => `${kind}.${change}`)),
  ]),
].sort();
