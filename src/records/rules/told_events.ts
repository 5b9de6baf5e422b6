/**
 * Maps audit events to the events that consumers receive. `null` means that the audit event itself causes
 * none. Sessions, consents, verified email addresses and passwords are reported where their rows are written
 * (`storage/database/feed.ts`).
 */
import type { AuditEvent } from "../definition/definition.ts";
import type {
  ManagedNoun,
  OwnEventType,
  RecordChange,
  SecurityEventType,
} from "../definition/event_types.ts";
import type { JsonObject } from "../definition/field.ts";
import type { CredentialKind, FeedEventType, MemberSource, Told } from "../names/feed_events.ts";
import { isObject } from "../names/json_shapes.ts";

export type ToldAudit = Pick<
  AuditEvent,
  "type" | "outcome" | "actor_kind" | "actor_id" | "target_id" | "details"
> &
  Partial<Pick<AuditEvent, "organization_id">>;

type Telling = (event: ToldAudit) => readonly (Told | undefined)[];

const part = ({ details }: ToldAudit, name: "before" | "after"): JsonObject => {
  const value = details?.[name];
  return isObject(value) ? (value as JsonObject) : {};
};

const changedIn = (event: ToldAudit): string[] => Object.keys(part(event, "after"));

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function told(
  type: FeedEventType,
  key: string | null | undefined,
  data: Told["data"] = {},
  from?: Told["from"],
): Told | undefined {
  return key == null ? undefined : { type, key, data, ...(from && { from }) };
}

const ofTarget =
  (type: FeedEventType): Telling =>
  ({ target_id }) => [told(type, target_id)];

const ofChange =
  (kind: "user" | "organization" | "app"): Telling =>
  (event) => {
    const { target_id } = event;
    const { active } = part(event, "after");
    const changed = changedIn(event);
    return [
      ...(changed.length > 0 ? [told(`${kind}.updated`, target_id, { changed })] : []),
      ...(active === false ? [told(`${kind}.deactivated`, target_id)] : []),
      ...(active === true ? [told(`${kind}.reactivated`, target_id)] : []),
    ];
  };

const userUpdated: Telling = (event) => [
  ...ofChange("user")(event),
  ...("email" in part(event, "after") ? [told("user.email_changed", event.target_id)] : []),
];

/** For a new user, an import reports no previous state. */
const userImported: Telling = (event) =>
  event.details?.after !== undefined && event.details.before === undefined
    ? [told("user.created", event.target_id)]
    : userUpdated(event);

const ofCredential =
  (
    type: "user.credential_added" | "user.credential_changed" | "user.credential_removed",
    credential: CredentialKind,
  ): Telling =>
  ({ actor_kind, actor_id, target_id }) => [
    told(type, actor_kind === "user" ? actor_id : undefined, {
      credential,
      ...(target_id !== null && { credential_id: target_id }),
    }),
  ];

const ofUser =
  (type: FeedEventType, dataOf: (event: ToldAudit) => Told["data"]): Telling =>
  (event) => [told(type, event.target_id, dataOf(event))];

function wordsOf({ role, permissions, role_ids, app_role_ids }: JsonObject): string[] {
  return [role, permissions, role_ids, app_role_ids].flat().filter((word) => typeof word === "string");
}

function differenceOf(event: ToldAudit): Told["data"] {
  const [before, after] = [wordsOf(part(event, "before")), wordsOf(part(event, "after"))];
  const added = after.filter((word) => !before.includes(word));
  const removed = before.filter((word) => !after.includes(word));
  return { ...(added.length > 0 && { added }), ...(removed.length > 0 && { removed }) };
}

const ofMembership =
  (type: "membership.created" | "membership.updated" | "membership.deleted"): Telling =>
  (event) => {
    const { target_id } = event;
    const data = {
      membership_id: String(target_id),
      ...(type === "membership.updated" && { changed: changedIn(event) }),
      ...differenceOf(event),
    };
    return [told(type, target_id, data, "membership")];
  };

/**
 * `counted` maps each field of a group or role that affects members' tokens to the name that the event lists
 * as changed.
 */
const ofMembers =
  (from: MemberSource, counted: Readonly<Record<string, string>>): Telling =>
  (event) => {
    const changed = [...new Set(changedIn(event).flatMap((name) => counted[name] ?? []))];
    if (changed.length === 0) return [];
    return [told("membership.updated", event.target_id, { changed, ...differenceOf(event) }, from)];
  };

const ofEnded =
  (from: MemberSource, changed: string): Telling =>
  ({ target_id }) => [
    told("membership.updated", target_id, { changed: [changed], removed: [String(target_id)] }, from),
  ];

const ofGroup =
  (difference: "added" | "removed"): Telling =>
  (event) => {
    const { membership_id, group_id } = { ...part(event, "before"), ...part(event, "after") };
    const [membership, group] = [text(membership_id), text(group_id) ?? ""];
    const data = { membership_id: membership ?? "", changed: ["groups"], [difference]: [group] };
    return [told("membership.updated", membership, data, "membership")];
  };

const ofLink =
  (type: "provider.linked" | "provider.unlinked"): Telling =>
  (event) => {
    const { user_id, provider } = { ...part(event, "before"), ...part(event, "after") };
    const { actor_kind, actor_id, target_id } = event;
    const user = text(user_id) ?? (actor_kind === "user" ? actor_id : undefined);
    return [told(type, user, { link_id: String(target_id), provider: text(provider) ?? "" })];
  };

const consentRevoked: Telling = (event) => {
  const { user_id, app_id } = { ...event.details, ...part(event, "before") } as JsonObject;
  const app = text(app_id);
  return [app === undefined ? undefined : told("consent.revoked", text(user_id), { app_id: app })];
};

const ofInvitation =
  (type: "invitation.created" | "invitation.accepted" | "invitation.revoked"): Telling =>
  ({ target_id, organization_id }) => [told(type, organization_id, { invitation_id: String(target_id) })];

const replayed: Telling = ({ actor_kind, actor_id }) => [
  told("token_family.replayed", actor_kind === "client" ? actor_id : undefined, {}, "client"),
];

const signInFailed: Telling = ({ outcome, actor_kind, actor_id, details }) => {
  const reason = text(details?.reason);
  const user = outcome === "failure" && actor_kind === "user" ? actor_id : undefined;
  return [told("sign_in.failed", user, reason === undefined ? {} : { reason })];
};

const ofActs: Readonly<Record<SecurityEventType | OwnEventType, Telling | null>> = {
  sign_in: signInFailed,
  sign_out: null,
  step_up: null,
  password_reset_request: null,
  registration_request: null,
  password_reset: null,
  "passkey.refused": null,
  consent: null,
  client_authentication: null,
  service_account_authentication: null,
  built_in_app_made: ofTarget("app.created"),
  client_registered: ofTarget("app.created"),
  client_document_stored: ofTarget("app.created"),
  client_document_changed: null,
  client_document_gone: null,
  code_replay: replayed,
  refresh_replay: replayed,
  token_issued: null,
  token_revoked: null,
  revocation_failed: null,
  introspection: null,
  "app.access_ended": ({ target_id, details }) => [
    told("consent.revoked", text(details?.user_id), { app_id: String(target_id) }),
  ],
  "app.logout_tested": null,
  "app.registered": ofChange("app"),
  "authenticator_app.created": ofCredential("user.credential_added", "authenticator_app"),
  "authenticator_app.deleted": ofCredential("user.credential_removed", "authenticator_app"),
  "authenticator_app.updated": null,
  "device.created": null,
  "device.deleted": null,
  "invitation.accepted": ofInvitation("invitation.accepted"),
  "invitation.created": ofInvitation("invitation.created"),
  "invitation.withdrawn": ofInvitation("invitation.revoked"),
  "linked_account.tokens_revoked": null,
  "delivery.retried": null,
  open_clients_swept: null,
  "passkey.created": ofCredential("user.credential_added", "passkey"),
  "passkey.deleted": ofCredential("user.credential_removed", "passkey"),
  "passkey.updated": null,
  "recovery.created": null,
  "recovery.deleted": null,
  "recovery.finished": null,
  "recovery_code.used": null,
  "recovery_codes.created": ofUser("user.credential_changed", () => ({ credential: "recovery_codes" })),
  records_exported: null,
  records_imported: null,
  "webhook_endpoint.disabled": null,
  "webhook_endpoint.replayed": null,
  "webhook_endpoint.secret_rotated": null,
  "webhook_endpoint.tested": null,
  "user.access_revoked": null,
  "user.data_exported": null,
  "user.deletion_asked": ofTarget("user.deactivated"),
  "user.imported": userImported,
  "user.deletion_undone": ofTarget("user.reactivated"),
  "user.factor_removed": ofUser("user.credential_removed", ({ details }) => ({
    credential: text(details?.factor) ?? "second_factors",
    ...(typeof details?.factor_id === "string" && { credential_id: details.factor_id }),
  })),
  "user.factors_reset": ofUser("user.credential_removed", () => ({ credential: "second_factors" })),
};

type Tellings = Readonly<Partial<Record<RecordChange, Telling>>>;

const ofRecords: Readonly<Record<ManagedNoun, Tellings | null>> = {
  user: { created: ofTarget("user.created"), updated: userUpdated, deleted: ofTarget("user.deleted") },
  organization: {
    created: ofTarget("organization.created"),
    updated: ofChange("organization"),
    deleted: ofTarget("organization.deleted"),
  },
  membership: {
    created: ofMembership("membership.created"),
    updated: ofMembership("membership.updated"),
    deleted: ofMembership("membership.deleted"),
  },
  linked_account: { created: ofLink("provider.linked"), deleted: ofLink("provider.unlinked") },
  app: { created: ofTarget("app.created"), updated: ofChange("app"), deleted: ofTarget("app.deleted") },
  consent: { revoked: consentRevoked, deleted: consentRevoked },
  group_member: { created: ofGroup("added"), deleted: ofGroup("removed") },
  role: {
    updated: ofMembers("role", { name: "role_ids", permissions: "role_ids" }),
    deleted: ofEnded("role", "role_ids"),
  },
  group: {
    updated: ofMembers("group", {
      display_name: "groups",
      role_ids: "role_ids",
      app_role_ids: "app_role_ids",
    }),
    deleted: ofEnded("group", "groups"),
  },
  app_role: {
    updated: ofMembers("app_role", { name: "app_role_ids", scopes: "app_role_ids" }),
    deleted: ofEnded("app_role", "app_role_ids"),
  },
  provider: null,
  api_key: null,
  app_secret: null,
  token: null,
  authorization_code: null,
  session: null,
  api: null,
  service_account: null,
  key_pair: null,
  signing_key: null,
  audit_event: null,
  refusal: null,
  delivery: null,
  event: null,
  webhook_endpoint: null,
  attribute: null,
};

function tellingOf(type: string): Telling | null | undefined {
  if (Object.hasOwn(ofActs, type)) return ofActs[type as keyof typeof ofActs];
  const [noun = "", change = ""] = type.split(".");
  if (!Object.hasOwn(ofRecords, noun)) return undefined;
  return ofRecords[noun as ManagedNoun]?.[change as RecordChange];
}

const failures: ReadonlySet<string> = new Set<SecurityEventType>([
  "sign_in",
  "code_replay",
  "refresh_replay",
]);

/** Returns the events that consumers receive for an audit event. */
export function toldOf(event: ToldAudit): readonly Told[] {
  if (event.outcome === "failure" && !failures.has(event.type)) return [];
  return (tellingOf(event.type)?.(event) ?? []).filter((each) => each !== undefined);
}
