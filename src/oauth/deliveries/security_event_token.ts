/** Push-based delivery of security event tokens (RFC 8935). */

import type { OAuthApp } from "../../records/definition/definition.ts";
import { stateOfClient } from "../../records/rules/client_record.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { controlSignal, signEventToken, tokenId } from "../signals/event_token.ts";
import { mayReceive } from "../signals/receiver.ts";
import { type Signal, type Stream, signalOf } from "../signals/signal_of.ts";
import type { DeliveryKind } from "./delivery_kind.ts";
import { describedError } from "./described_error.ts";
import { pauseWithinLifetime } from "./pauses.ts";

async function signalled(
  event_id: string,
  stream: Stream,
  app: OAuthApp,
  server: AuthorizationServer,
): Promise<{ readonly jti: string; readonly signal: Signal } | undefined> {
  const control = stream.controls.find(({ jti }) => jti === event_id);
  if (control !== undefined) return { jti: control.jti, signal: controlSignal(stream, control) };
  const event = await server.store.find("events", { id: event_id });
  const signal = event && (await signalOf(event, stream, app, server));
  return signal && { jti: tokenId(stream, event_id), signal };
}

export const securityEventToken: DeliveryKind = {
  name: "security_event_token",
  max_bytes: 4096,
  timeout: 5000,

  /**
   * Events about the stream itself are sent even while the stream is paused or disabled, because they report
   * that state (SSF 1.0 8.1.5).
   */
  async attempt({ target_id, subject_key, event_id }, { server }) {
    const { store, sealer } = server;
    const stream = await store.find("signal_streams", { app_id: target_id });
    const client = await store.findClientOfApp(target_id);
    if (stream?.endpoint_url == null || client === undefined) return undefined;
    if (stateOfClient(client) === "revoked") return undefined;
    if (!mayReceive(client)) return "paused";
    if (stream.status !== "enabled" && subject_key !== stream.id) return "held";
    const found = await signalled(event_id ?? "", stream, client.app, server);
    if (found === undefined) return undefined;
    const { authorization_sealed, id } = stream;
    return {
      url: stream.endpoint_url,
      body: {
        type: "application/secevent+jwt",
        text: await signEventToken(found.jti, found.signal, client.app.client_id, server),
      },
      internal: false,
      ...(authorization_sealed !== null && {
        authorization: sealer.open("stream_authorization", authorization_sealed, id),
      }),
    };
  },

  // RFC 8935 2.2 requires 202; 200 and 204 are accepted too.
  isDone: ({ status }) => status === 202 || status === 200 || status === 204,
  isTemporary: ({ status }) => status === 429 || status >= 500,
  pauseAfter: pauseWithinLifetime,
  faultOf: ({ status, body }) => (status === 400 ? describedError(body, ["err", "description"]) : null),
};
