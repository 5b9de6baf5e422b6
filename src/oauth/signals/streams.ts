/** The streams of events for receivers, one per receiver (SSF 1.0 8.1). */
import { sha256 } from "../../crypto/digest.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { emailKey, isEmail } from "../../records/names/email.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { appLock } from "../../records/names/lock_names.ts";
import {
  deliveryUrns,
  inactivityTimeout,
  leastVerification,
  type StreamMethod,
  type StreamState,
  streamStates,
} from "../../records/names/signals.ts";
import type { Transaction } from "../../storage/database/database.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { deliveryOf } from "./delivery_row.ts";
import { withControl } from "./event_token.ts";
import { readsAddressOf, type Stream } from "./signal_of.ts";

import {
  isLine,
  longestText,
  type Members,
  pathOfPoll,
  readMembers,
  supported,
  usual,
  wrong,
} from "./stream_members.ts";

/** Returns the configuration as the receiver sees it; `authorization_header` is never disclosed. */
export function configurationOf(
  stream: Stream,
  { client_id }: Pick<OAuthApp, "client_id">,
  { issuer }: Pick<AuthorizationServer, "issuer">,
) {
  const { id, delivery_method, endpoint_url, events_requested, description, subject_format } = stream;
  return {
    stream_id: id,
    iss: issuer,
    aud: client_id,
    delivery: {
      method: deliveryUrns[delivery_method as StreamMethod],
      endpoint_url: endpoint_url ?? `${issuer}${pathOfPoll(stream)}`,
    },
    events_supported: supported,
    events_requested,
    events_delivered: events_requested.filter((type) => supported.includes(type)),
    min_verification_interval: leastVerification,
    inactivity_timeout: inactivityTimeout,
    ...(description !== null && { description }),
    format: subject_format,
  };
}

export const statusOf = ({ id, status, status_reason }: Stream) => ({
  stream_id: id,
  status,
  ...(status_reason !== null && { reason: status_reason }),
});

/** Returns the stream of this receiver; throws 404 for any other, whether it exists or not. */
export async function streamOf(
  app: Pick<OAuthApp, "id">,
  stream_id: unknown,
  { store }: Pick<AuthorizationServer, "store">,
): Promise<Stream> {
  const stream = await store.find("signal_streams", { app_id: app.id });
  if (stream === undefined || stream.id !== stream_id) throw refuse("stream_unknown");
  return stream;
}

/** Returns the feed position of the newest event, which may have had none before this call. */
async function positionOfNow({ store }: Pick<AuthorizationServer, "store">): Promise<number> {
  await store.numberEvents();
  return (await store.feedBounds()).newest;
}

/**
 * Creates the receiver's stream. Throws 400 for an invalid field, and 409 if the receiver already has a
 * stream.
 */
export async function createStream(
  app: OAuthApp,
  members: Members,
  server: AuthorizationServer,
): Promise<Stream> {
  const { store } = server;
  const at = server.now();
  const id = store.newId(at);
  const given = { ...usual, ...readMembers(members, undefined, id, server) };
  const position = await positionOfNow(server);
  const made = { id, app_id: app.id, ...given, position, last_active_at: at, created_at: at, updated_at: at };
  return store.transaction(async (tx) => {
    await tx.lock(appLock(app.id));
    if ((await tx.find("signal_streams", { app_id: app.id })) !== undefined) throw refuse("stream_exists");
    await tx.insert("signal_streams", made);
    const stream = await tx.find("signal_streams", { id });
    if (stream === undefined) throw new TypeError("a stream that was inserted is found");
    return stream;
  });
}

export async function changeStream(
  app: OAuthApp,
  members: Members,
  { replaces }: { readonly replaces: boolean },
  server: AuthorizationServer,
): Promise<Stream> {
  const stream = await streamOf(app, members.stream_id, server);
  const given = readMembers(members, configurationOf(stream, app, server), stream.id, server);
  const at = server.now();
  const changes = { ...(replaces && usual), ...given, last_active_at: at, updated_at: at };
  return server.store.transaction(async (tx) => {
    const [changed] = await tx.change("signal_streams", { id: stream.id }, changes);
    if (changed === undefined) throw refuse("stream_unknown");
    if (stream.delivery_method !== "push" || changed.delivery_method !== "poll") return changed;
    const position = await takeBack(tx, changed);
    await tx.update("signal_streams", { id: stream.id }, { position });
    return { ...changed, position };
  });
}

const pushesTo = ({ app_id }: Pick<Stream, "app_id">) =>
  ({ kind: "security_event_token", target_id: app_id }) as const;

const waitingFor = (stream: Pick<Stream, "app_id">) => ({ ...pushesTo(stream), state: "waiting" }) as const;

/** Removes the waiting pushes, and returns the feed position before them, from which polls continue. */
async function takeBack(tx: Transaction, stream: Stream): Promise<number> {
  const waiting = await tx.list("deliveries", waitingFor(stream), { limit: 2000 });
  await tx.remove("deliveries", waitingFor(stream));
  for (const { event_id } of waiting) {
    const event = event_id === null ? undefined : await tx.find("events", { id: event_id });
    if (event?.position) return Math.min(stream.position, event.position - 1);
  }
  return stream.position;
}

interface NewStatus {
  readonly status: StreamState;
  readonly reason: string | null;
}

/** Reads the new status and its reason from a request. Throws 400 `invalid_request`. */
export function readStatus({ status, reason = null }: Members): NewStatus {
  const state = streamStates.find((each) => each === status);
  if (state === undefined) throw wrong("status", `must be one of ${streamStates.join(", ")}`);
  if (reason !== null && !isLine(reason))
    throw wrong("reason", `must be one line of at most ${longestText} characters`);
  return { status: state, reason };
}

/**
 * Sets the status and its reason, and notifies the receiver if the status changes (SSF 1.0 8.1.5). A paused
 * stream keeps its events, a disabled one drops them (SSF 1.0 8.1.2.1).
 */
export async function setStatus(
  stream: Stream,
  { status, reason }: NewStatus,
  server: AuthorizationServer,
): Promise<Stream> {
  const { store, now } = server;
  const at = now();
  const newest = await positionOfNow(server);
  return store.transaction(async (tx) => {
    // The write locks the row, so concurrent changes of the status run one after the other.
    const [held] = await tx.change("signal_streams", { id: stream.id }, { last_active_at: at });
    const skipped = held?.status === "disabled" && status !== "disabled" ? { position: newest } : {};
    const changes = { status, status_reason: reason, updated_at: at, ...skipped };
    const [changed] = await tx.change("signal_streams", { id: stream.id }, changes);
    if (held === undefined || changed === undefined) throw refuse("stream_unknown");
    if (held.status === status) return changed;
    if (status === "enabled") await store.releaseDeliveries(tx, pushesTo(stream), at);
    else if (status === "disabled") await tx.remove("deliveries", waitingFor(stream));
    else await store.holdDeliveries(tx, { ...pushesTo(stream), except: stream.id });
    const event = { status, ...(reason !== null && { reason }) };
    return addControl(tx, changed, "updated", event, server);
  });
}

/**
 * Sends the event with which a receiver tests its stream (SSF 1.0 8.1.4). Throws 400 for an invalid `state`,
 * and 429 if the receiver requested such an event less than `leastVerification` seconds ago.
 */
export async function verifyStream(
  stream: Stream,
  state: unknown,
  server: AuthorizationServer,
): Promise<void> {
  if (state !== undefined && (typeof state !== "string" || state.length > 1024 || !state.isWellFormed()))
    throw wrong("state", "must be text of at most 1024 characters");
  const at = server.now();
  // The interval is counted by receiver rather than by stream, so a new stream does not reset it.
  const key = sha256(`signal verification ${stream.app_id}`);
  const next = new Date(at.getTime() + leastVerification * 1000);
  if (!(await server.store.useOnce("throttle", key, next, at)))
    throw refuse("stream_verified_lately", { retry_after: leastVerification });
  await server.store.transaction(async (tx) => {
    const used = { last_active_at: at, verified_at: at };
    const [held] = await tx.change("signal_streams", { id: stream.id }, used);
    if (held === undefined) throw refuse("stream_unknown");
    await addControl(tx, held, "verification", state === undefined ? {} : { state }, server);
  });
}

async function addControl(
  tx: Transaction,
  stream: Stream,
  kind: "verification" | "updated",
  event: Readonly<Record<string, string>>,
  server: AuthorizationServer,
): Promise<Stream> {
  const at = server.now();
  const jti = server.store.newId(at);
  const controls = withControl(stream, kind, event, jti);
  await tx.update("signal_streams", { id: stream.id }, { controls });
  if (stream.delivery_method === "push") {
    const about = { subject_key: stream.id, event_id: jti, organization_id: null };
    await tx.insert("deliveries", deliveryOf(stream, about, server, at));
  }
  return { ...stream, controls };
}

const mostRemoved = 1000;

/**
 * Adds or removes the subject that a request names, without revealing whether such a user exists (SSF 1.0
 * 9.1). Throws 400 `invalid_request`.
 */
export async function changeSubject(
  stream: Stream,
  app: Pick<OAuthApp, "organization_id">,
  { subject }: Members,
  act: "add" | "remove",
  server: AuthorizationServer,
): Promise<void> {
  if (!isObject(subject) || !isIdentifier(subject)) throw wrong("subject", "must be a subject identifier");
  const user_id = await userOf(subject, stream, app, server);
  if (user_id === undefined) return;
  await server.store.transaction(async (tx) => {
    const [held] = await tx.change("signal_streams", { id: stream.id }, { last_active_at: server.now() });
    if (held === undefined) throw refuse("stream_unknown");
    const others = held.removed_subjects.filter((id) => id !== user_id);
    const removed_subjects = act === "remove" ? [...others, user_id] : others;
    if (removed_subjects.length > mostRemoved)
      throw wrong(
        "subject",
        `cannot be removed: the stream already has ${mostRemoved} removed subjects, the maximum`,
      );
    await tx.update("signal_streams", { id: stream.id }, { removed_subjects });
  });
}

/**
 * Checks the fields of an identifier in the format `email` or `iss_sub` (RFC 9493 3.2.2, 3.2.3). Identifiers
 * in other formats pass.
 */
function isIdentifier({ format, iss, sub, email }: Members): boolean {
  if (format === "email") return typeof email === "string";
  if (format === "iss_sub") return typeof iss === "string" && typeof sub === "string";
  return typeof format === "string";
}

/**
 * If the receiver may not know whether a user has an email address, the returned ID belongs to no user. The
 * request then costs as much work and storage as one for a user whom the receiver may know (SG-2).
 */
async function userOf(
  subject: Members,
  stream: Pick<Stream, "id">,
  app: Pick<OAuthApp, "organization_id">,
  server: Pick<AuthorizationServer, "store" | "issuer">,
): Promise<string | undefined> {
  const { store, issuer } = server;
  const { format, iss, sub, email, user } = subject;
  if (format === "complex" && isObject(user)) return userOf(user, stream, app, server);
  if (format === "iss_sub" && iss === issuer && typeof sub === "string" && isUuid(sub))
    return sub.toLowerCase();
  if (format !== "email" || typeof email !== "string" || !isEmail(email)) return undefined;
  const email_key = emailKey(email);
  const hash = sha256(`${stream.id} ${email_key}`).toString("hex");
  const none = hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
  const found = (await store.find("users", { email_key }))?.id ?? none;
  return (await readsAddressOf(app, found, { store })) ? found : none;
}

/** Deletes the stream and its waiting pushes, which a later stream of the receiver would otherwise get. */
export async function removeStream(stream: Stream, { store }: AuthorizationServer): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.remove("signal_streams", { id: stream.id });
    await tx.remove("deliveries", waitingFor(stream));
  });
}
