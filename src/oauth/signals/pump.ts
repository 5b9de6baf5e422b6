/** Push streams get their events through the outbox. */
import { UnavailableError } from "../../errors.ts";
import type { Row } from "../../records/definition/definition.ts";
import { inactivityTimeout } from "../../records/names/signals.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { deliveryOf } from "./delivery_row.ts";
import { mayReceive } from "./receiver.ts";
import { type Stream, signalledTypes, signalOf } from "./signal_of.ts";
import { setStatus } from "./streams.ts";

/** Maximum number of waiting deliveries of one receiver. Its further events wait in the feed. */
const mostWaiting = 1000;
const mostAtOnce = 100;

/**
 * Pauses the streams of inactive receivers, and queues the next events of the other push streams. Several
 * processes may do so concurrently, because only one of them can advance a stream past an event. If one
 * stream fails, the others still get their events before the error is thrown, unless the database is
 * unavailable.
 */
export async function pumpSignals(server: AuthorizationServer): Promise<void> {
  const { store } = server;
  const streams = await store.list("signal_streams", { status: "enabled" });
  if (streams.length === 0) return;
  const { newest } = await store.feedBounds();
  let failure: Error | undefined;
  for (const stream of streams) {
    try {
      await pumpOrPause(stream, newest, server);
    } catch (cause) {
      if (cause instanceof UnavailableError) throw cause;
      failure ??= new Error(`events for the stream of the app ${stream.app_id} could not be queued`, {
        cause,
      });
    }
  }
  if (failure !== undefined) throw failure;
}

async function pumpOrPause(stream: Stream, newest: number, server: AuthorizationServer): Promise<void> {
  const idle = server.now().getTime() - stream.last_active_at.getTime();
  if (idle > inactivityTimeout * 1000)
    await setStatus(stream, { status: "paused", reason: "the receiver was inactive" }, server);
  else if (stream.delivery_method === "push" && stream.position < newest)
    await pumpStream(stream, newest, server);
}

async function pumpStream(stream: Stream, newest: number, server: AuthorizationServer): Promise<void> {
  const { store } = server;
  const client = await store.findClientOfApp(stream.app_id);
  if (client === undefined || !mayReceive(client)) return;
  const { app } = client;
  const waits = { target_id: app.id, kind: "security_event_token", state: "waiting" } as const;
  if ((await store.count("deliveries", waits)) >= mostWaiting) return;
  const asked = { after: stream.position, limit: mostAtOnce, types: signalledTypes };
  const part = await store.readFeed(asked, newest);
  const due: Row<"events">[] = [];
  for (const event of part.events)
    if ((await signalOf(event, stream, app, server)) !== undefined) due.push(event);
  const at = server.now();
  const { organization_id } = app;
  await store.transaction(async (tx) => {
    const { id, position } = stream;
    const unchanged = { id, position, status: "enabled", delivery_method: "push" } as const;
    if ((await tx.update("signal_streams", unchanged, { position: part.position })) === 0) return;
    const first = await store.afterDeliveriesTo(tx, app.id, at);
    for (const [index, { id: event_id, subject_id: subject_key }] of due.entries()) {
      const about = { subject_key, event_id, organization_id };
      // Ids of the same millisecond have no order, and the outbox delivers in the order of ids.
      const id = store.newId(new Date(first + index));
      await tx.insert("deliveries", { ...deliveryOf(stream, about, server, at), id });
    }
  });
}
