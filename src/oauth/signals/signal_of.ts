/** Events of the feed become CAEP or RISC events for a receiver (docs/shared-signals.md). */
import type { OAuthApp, Row } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { FeedEventType } from "../../records/names/feed_events.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type SignalName, signalTypes } from "../../records/names/signals.ts";
import type { AuthorizationServer } from "../core/server.ts";

export type Stream = Row<"signal_streams">;
type FeedEvent = Row<"events">;

export interface Signal {
  readonly type: string;
  readonly event: JsonObject;
  readonly sub_id: JsonObject;
  readonly txn?: string;
}

type Server = Pick<AuthorizationServer, "store" | "issuer">;

interface Told {
  readonly name: SignalName;
  readonly members?: JsonObject;
}

const credentials: Readonly<Record<string, string>> = {
  password: "password",
  passkey: "fido2-roaming",
  authenticator_app: "app",
  second_factors: "app",
};

/** CAEP has no type for recovery codes. */
const ofCredential =
  (change_type: "create" | "update" | "revoke") =>
  ({ data }: FeedEvent): Told | undefined => {
    const credential_type = credentials[String(data.credential)];
    if (credential_type === undefined) return undefined;
    return { name: "credential_change", members: { change_type, credential_type } };
  };

const tellings: Readonly<Partial<Record<FeedEventType, (event: FeedEvent) => Told | undefined>>> = {
  "session.ended": () => ({ name: "session_revoked" }),
  "user.credential_added": ofCredential("create"),
  "user.credential_changed": ofCredential("update"),
  "user.credential_removed": ofCredential("revoke"),
  "membership.created": () => ({ name: "token_claims_change" }),
  "membership.updated": () => ({ name: "token_claims_change" }),
  "membership.deleted": () => ({ name: "token_claims_change" }),
  "user.deactivated": () => ({ name: "account_disabled" }),
  "user.reactivated": () => ({ name: "account_enabled" }),
  "user.deleted": () => ({ name: "account_purged" }),
  "user.email_changed": () => ({ name: "identifier_changed" }),
};

export const signalledTypes = Object.keys(tellings) as readonly FeedEventType[];

/** The CAEP name of each kind of actor (CAEP 1.0 2). */
const initiators: Readonly<Record<string, string>> = {
  user: "user",
  api_key: "admin",
  client: "admin",
  service_account: "admin",
};

/** Returns the signal for a receiver; undefined if this event has none for it. */
export async function signalOf(
  event: FeedEvent,
  stream: Stream,
  app: Pick<OAuthApp, "organization_id">,
  server: Server,
): Promise<Signal | undefined> {
  const told = tellings[event.type as FeedEventType]?.(event);
  if (told === undefined) return undefined;
  const { name, members = {} } = told;
  const type = signalTypes[name];
  if (!stream.events_requested.includes(type) || stream.removed_subjects.includes(event.subject_id))
    return undefined;
  if (app.organization_id !== null && !(await concerns(name, event, app.organization_id, server)))
    return undefined;
  const sub_id = await subjectOf(name, event, stream, app, server);
  if (sub_id === undefined) return undefined;
  const claims = name === "token_claims_change" && { claims: await rolesOf(event, server) };
  return { type, event: { ...factsOf(name, event), ...members, ...claims }, sub_id, txn: event.id };
}

/** Any CAEP event may have these fields (CAEP 1.0 2). */
function factsOf(name: SignalName, { created_at, actor_kind }: FeedEvent): JsonObject {
  if (name.startsWith("account_") || name === "identifier_changed") return {};
  const initiating_entity = initiators[actor_kind] ?? "system";
  return { event_timestamp: Math.floor(created_at.getTime() / 1000), initiating_entity };
}

/** Returns whether a receiver may read the user's email address (SG-7). */
export async function readsAddressOf(
  { organization_id }: Pick<OAuthApp, "organization_id">,
  user_id: string,
  { store }: Pick<Server, "store">,
): Promise<boolean> {
  return organization_id === null || (await store.count("memberships", { user_id, organization_id })) > 0;
}

async function subjectOf(
  name: SignalName,
  event: FeedEvent,
  { subject_format }: Stream,
  app: Pick<OAuthApp, "organization_id">,
  { store, issuer }: Server,
): Promise<JsonObject | undefined> {
  if (name === "identifier_changed") {
    // The subject is the former email address (RISC 1.0 2.5), which the audit log stores.
    const email = await formerEmail(event, store);
    return email === undefined ? undefined : { format: "email", email };
  }
  const isNamedByEmail =
    subject_format === "email" && (await readsAddressOf(app, event.subject_id, { store }));
  const user = isNamedByEmail ? await store.findUser(event.subject_id) : undefined;
  const who: JsonObject =
    user === undefined
      ? { format: "iss_sub", iss: issuer, sub: event.subject_id }
      : { format: "email", email: user.email };
  if (name !== "session_revoked") return who;
  const session = { format: "opaque", id: String(event.data.session_id) };
  return { format: "complex", user: who, session };
}

async function formerEmail(
  { subject_id, created_at }: FeedEvent,
  store: Server["store"],
): Promise<string | undefined> {
  // The former email address of a deleted user is not sent, even while the user's audit events still have
  // their details (EV-8).
  if ((await store.findUser(subject_id)) === undefined) return undefined;
  const changes = await store.list(
    "audit_events",
    { target_id: subject_id, created_at },
    { order_by: "id", limit: 10 },
  );
  for (const { details } of changes) {
    const before = details?.before;
    if (isObject(before) && typeof before.email === "string") return before.email;
  }
  return undefined;
}

/**
 * If a member has more groups, the signal contains none, and receivers read them from userinfo or
 * introspection.
 */
const mostGroups = 100;

async function rolesOf({ data, organization_id }: FeedEvent, { store }: Server): Promise<JsonObject> {
  const member = await store.findMember(String(data.membership_id));
  const organization = { id: organization_id };
  if (member === undefined) return { organization, roles: [] };
  const { group_names: groups } = member;
  return {
    organization,
    roles: member.role_names,
    ...(groups.length > 0 && groups.length <= mostGroups && { groups }),
  };
}

/**
 * An event concerns an organization if it is the end of a session that the organization's apps used, a change
 * of a membership, or the deactivation or reactivation of a member.
 */
async function concerns(
  name: SignalName,
  { subject_id: user_id, organization_id, data }: FeedEvent,
  own: string,
  { store }: Server,
): Promise<boolean> {
  switch (name) {
    case "token_claims_change":
      return organization_id === own;
    case "session_revoked": {
      const session_id = String(data.session_id);
      const tokens = await store.list(
        "oauth_tokens",
        { session_id, user_id },
        { order_by: "id", limit: 100 },
      );
      const clients = await Promise.all(
        [...new Set(tokens.map(({ app_id }) => app_id))].map((id) => store.findClientOfApp(id)),
      );
      return clients.some((client) => client?.app.organization_id === own);
    }
    case "account_disabled":
    case "account_enabled":
      return (await store.count("memberships", { user_id, organization_id: own })) > 0;
    default:
      return false;
  }
}
