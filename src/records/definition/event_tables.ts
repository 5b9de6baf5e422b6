import { deliveryKinds, deliveryStates } from "../names/deliveries.ts";
import { subjectKinds } from "../names/feed_events.ts";
import { type Control, streamMethods, streamStates, subjectFormats } from "../names/signals.ts";
import {
  defaulting,
  id,
  int,
  long,
  object,
  objects,
  oneOf,
  optional,
  reference,
  string,
  strings,
  text,
  time,
  uuid,
} from "./field.ts";
import { created_at, ofServer, type TableDefinition, table, updated_at } from "./table.ts";

export const eventTables = {
  session_apps: table("apps that received a code in a session and are notified of its end", {
    id: id(),
    session_id: reference("sessions", "the session", "cascade"),
    app_id: reference("oauth_apps", "the app", "cascade"),
    first_at: time("when the app first received a code in it"),
  }).with({ ...ofServer, unique: [["session_id", "app_id"]] }),

  deliveries: table(
    "deliveries to applications and webhook endpoints, pending or sent (docs/decisions/events.md)",
    {
      id: id(),
      kind: oneOf("kind of delivery", deliveryKinds),
      target_id: uuid("app or webhook endpoint that receives the delivery"),
      organization_id: optional(uuid("organization of the receiver; null if it has none")),
      subject_key: string(
        "ID of what the delivery is about, usually a user. A receiver gets deliveries with the same ID in order",
      ),
      event_id: optional(
        string(
          "ID of the event or, for a logout token, of the ended session. It is null for a ping, and if all sessions of the user ended",
        ),
      ),
      state: defaulting(
        oneOf(
          "state of the delivery. `waiting`: the next attempt is at `due_at`. `done`: accepted. `failed`: refused permanently. `given_up`: no attempt succeeded, or too many deliveries were waiting",
          deliveryStates,
        ),
        "waiting",
      ),
      due_at: time("when the next attempt is due"),
      attempt: defaulting(int("number of attempts so far"), 0),
      last_status: optional(int("HTTP status of the last response; null if none")),
      last_fault: optional(string("error of the last attempt; null if none", { format: "prose" })),
      expires_at: time("when the row is deleted", { internal: true }),
      created_at,
      claimed_until: optional(
        time("until when one process has, or last had, the delivery reserved", { internal: true }),
      ),
      claimed_by: optional(uuid("the process that attempts it", { internal: true })),
    },
  ).with({
    owner: { organization: "organization_id", added_to: ["platform"] },
    indexes: { ordered: ["target_id", "organization_id"], wide: ["state"] },
    counted_as: null,
  }),

  events: table("events for consumers, in the order of their positions (docs/events.md)", {
    id: id(),
    position: optional(
      long("position in the event feed; null until the server assigns it, shortly after the event"),
    ),
    arrived: long("order of events without a position", { internal: true }),
    type: string("type of the event"),
    subject_kind: oneOf("kind of record that the event is about", subjectKinds),
    subject_id: uuid("user, organization or app that the event is about"),
    organization_id: optional(uuid("organization that the event concerns; null if none")),
    actor_kind: string("kind of the actor, as in audit events"),
    data: object("details of the event; their names depend on `type`"),
    created_at,
  }).with({
    unique: [["position"]],
    owner: { organization: "organization_id", added_to: ["platform"] },
    indexes: { ordered: ["subject_id", "organization_id"], wide: ["type"] },
    counted_as: null,
  }),

  signal_streams: table("streams of shared signals, one for each receiver (docs/shared-signals.md)", {
    id: id(),
    app_id: reference("oauth_apps", "the receiver", "cascade", { unique: true }),
    status: defaulting(oneOf("whether the receiver gets events", streamStates), "enabled"),
    status_reason: optional(string("why the status changed")),
    delivery_method: oneOf("how events are delivered", streamMethods),
    endpoint_url: optional(string("where events are pushed to")),
    authorization_sealed: optional(
      text("value of the Authorization header for the receiver, encrypted", {
        sensitive: true,
        sealed_for: "stream_authorization",
      }),
    ),
    description: optional(string("the receiver's description")),
    events_requested: strings("types of events that the receiver asked for"),
    subject_format: defaulting(oneOf("how users are named", subjectFormats), "iss_sub"),
    removed_subjects: defaulting(strings("users that the receiver removed from the stream"), []),
    position: long("position in the feed up to which the receiver got its events"),
    acknowledged: defaulting(strings("events after the position that the receiver has acknowledged"), []),
    controls: defaulting(
      objects<Control>("events about the stream that the receiver has not acknowledged yet"),
      [],
    ),
    verified_at: optional(time("when the receiver last requested a verification")),
    last_active_at: time("when the receiver last used the stream"),
    created_at,
    updated_at,
  }).with({ ...ofServer, counted_as: null }),
} as const satisfies Record<string, TableDefinition>;
