/**
 * The types of events that consumers receive, with the fields of their data (docs/events.md). Data contains
 * only ids, names of changed fields and values from fixed lists. It never contains a person's name, an email
 * address or a secret.
 */

/** Events with the same subject are delivered in order. */
export const subjectKinds = ["user", "organization", "app"] as const;
export type SubjectKind = (typeof subjectKinds)[number];

export const subjectTables = {
  user: "users",
  organization: "organizations",
  app: "oauth_apps",
} as const satisfies Readonly<Record<SubjectKind, string>>;

export const subjectTypes = {
  user: "users",
  organization: "organizations",
  app: "apps",
} as const satisfies Readonly<Record<SubjectKind, string>>;

const credentialKinds = [
  "password",
  "passkey",
  "authenticator_app",
  "recovery_codes",
  "second_factors",
] as const;
export type CredentialKind = (typeof credentialKinds)[number];

type DataMember = "id" | "text" | "texts" | readonly string[];

export interface EventShape {
  readonly means: string;
  readonly about: SubjectKind;
  readonly data: Readonly<Record<string, DataMember>>;
  readonly optional?: readonly string[];
}

const type = <const S extends EventShape>(shape: S): S => shape;

const user = (means: string) => type({ means, about: "user", data: {} });
const ofUser = <const D extends EventShape["data"]>(means: string, data: D) =>
  type({ means, about: "user", data });
const organization = (means: string) => type({ means, about: "organization", data: {} });
const app = (means: string) => type({ means, about: "app", data: {} });

const credential = (means: string) =>
  type({
    means,
    about: "user",
    data: { credential: credentialKinds, credential_id: "id" },
    optional: ["credential_id"],
  });

/** `added` and `removed` state the difference, so a consumer need not store the previous state. */
const membership = (means: string) =>
  type({
    means,
    about: "user",
    data: { membership_id: "id", changed: "texts", added: "texts", removed: "texts" },
    optional: ["changed", "added", "removed"],
  });

const invitation = (means: string) => type({ means, about: "organization", data: { invitation_id: "id" } });

const eventShapes = {
  "user.created": user("A user was created"),
  "user.updated": ofUser("Fields of a user changed", { changed: "texts" }),
  "user.deactivated": user("A user was deactivated"),
  "user.reactivated": user("A user was reactivated"),
  "user.deleted": user("A user was deleted; no later event is about this user"),
  "user.email_changed": user("The email address of a user changed"),
  "user.email_verified": user("The email address of a user was verified"),
  "user.credential_added": credential("A credential was added for a user"),
  "user.credential_changed": credential("A credential of a user was replaced"),
  "user.credential_removed": credential("A credential of a user was removed"),
  "session.started": ofUser("A user signed in", { session_id: "id" }),
  "session.ended": ofUser("A session ended before its expiry", { session_id: "id" }),
  "sign_in.failed": type({
    means: "A sign-in of a known user failed; during an attack, some of these events are omitted",
    about: "user",
    data: { reason: "text" },
    optional: ["reason"],
  }),
  "membership.created": membership("A user became a member of an organization"),
  "membership.updated": membership("A membership changed"),
  "membership.deleted": membership("A membership ended"),
  "provider.linked": ofUser("An account at a provider was linked", { link_id: "id", provider: "text" }),
  "provider.unlinked": ofUser("An account at a provider was unlinked", { link_id: "id", provider: "text" }),
  "consent.granted": ofUser("A user consented to an app", { app_id: "id" }),
  "consent.revoked": ofUser("A user or an administrator revoked a consent", { app_id: "id" }),
  "token_family.replayed": app(
    "A used authorization code or refresh token was presented again; all tokens of its token family were revoked",
  ),
  "organization.created": organization("An organization was created"),
  "organization.updated": type({
    means: "Fields of an organization changed",
    about: "organization",
    data: { changed: "texts" },
  }),
  "organization.deactivated": organization("An organization was deactivated"),
  "organization.reactivated": organization("An organization was reactivated"),
  "organization.deleted": organization("An organization and everything that belongs to it were deleted"),
  "invitation.created": invitation("A person was invited to an organization"),
  "invitation.accepted": invitation("An invited person became a member"),
  "invitation.revoked": invitation("An invitation was revoked"),
  "app.created": app("An app was created"),
  "app.updated": type({ means: "Fields of an app changed", about: "app", data: { changed: "texts" } }),
  "app.deactivated": app("An app was deactivated"),
  "app.reactivated": app("An app was reactivated"),
  "app.deleted": app("An app was deleted"),
} as const satisfies Readonly<Record<string, EventShape>>;

export type FeedEventType = keyof typeof eventShapes;

export const feedEventTypes = Object.keys(eventShapes) as readonly FeedEventType[];

export function shapeOfEvent(type: FeedEventType): EventShape {
  return eventShapes[type];
}

type EventData = Readonly<Record<string, string | readonly string[]>>;

/**
 * Records whose change affects the tokens of many members. The feed contains one event for each of these
 * members, up to `mostMembersTold`.
 */
export const memberSources = ["group", "role", "app_role"] as const;
export type MemberSource = (typeof memberSources)[number];

/**
 * The record that determines the subject: the subject itself, a record that leads to it, or one that leads
 * to many subjects.
 */
export type SubjectSource = SubjectKind | "membership" | "client" | MemberSource;

export interface Told {
  readonly type: FeedEventType;
  readonly from?: SubjectSource;
  readonly key: string;
  readonly data: EventData;
}

/**
 * Maximum events about one change of a group or a role, one for each affected member. If more members are
 * affected, only those with the oldest memberships have an event.
 */
export const mostMembersTold = 20_000;

export const mostEvents = 200;

/** Maximum seconds that a request may wait for an event. */
export const longestWait = 20;
