/** Webhooks (Standard Webhooks 1.0) are signed again for each attempt. */
import { webhookHeaders } from "../../crypto/standard_webhooks.ts";
import type { Row } from "../../records/definition/definition.ts";
import { publicView } from "../../records/definition/view.ts";
import { isActive } from "../../records/names/liveness.ts";
import { mostBytesOfWebhook, type WebhookSecrets, webhookPauses } from "../../records/names/webhooks.ts";
import type { AuthorizationServer } from "../core/server.ts";
import type { Delivery, DeliveryContext, DeliveryKind } from "./delivery_kind.ts";
import { spread } from "./pauses.ts";

/**
 * If an endpoint has been failing for this many milliseconds, the next event that is given up disables the
 * endpoint.
 */
const longestFailure = 71 * 3_600_000;

function secretsOf({ id, secrets_sealed }: Row<"webhook_endpoints">, server: AuthorizationServer): string[] {
  const opened = server.sealer.open("webhook_secret", secrets_sealed, id);
  const { current, former } = JSON.parse(opened) as WebhookSecrets;
  return former !== undefined && former.until > server.now().getTime() ? [current, former.secret] : [current];
}

/** A record that would make the body too long is omitted, and the body says so (EV-5). */
async function bodyOf(
  { id, event_id, created_at }: Delivery,
  endpoint: Row<"webhook_endpoints">,
  { server, recordFor }: DeliveryContext,
): Promise<string | undefined> {
  if (event_id === null) return JSON.stringify({ id, type: "ping", created_at, data: {} });
  const event = await server.store.find("events", { id: event_id });
  if (event === undefined) return undefined;
  const view = publicView("events", event);
  const record = endpoint.include.includes("record") ? await recordFor?.(endpoint, event) : undefined;
  const whole = JSON.stringify({ ...view, record });
  if (record === undefined || Buffer.byteLength(whole) <= mostBytesOfWebhook) return whole;
  return JSON.stringify({ ...view, record_omitted: "too_large" });
}

/**
 * Returns the seconds in a `Retry-After` header (RFC 9110 10.2.3), at most a day; 0 if it contains no number
 * of seconds.
 */
function retryAfter(value: unknown): number {
  return typeof value === "string" && /^\d{1,6}$/.test(value) ? Math.min(Number(value), 86_400) : 0;
}

export const webhook: DeliveryKind = {
  name: "webhook",
  max_bytes: 4096,
  timeout: 10_000,
  permitted_by: "internal",

  async attempt(delivery, context) {
    const { server } = context;
    const endpoint = await server.store.find("webhook_endpoints", { id: delivery.target_id });
    if (endpoint === undefined) return undefined;
    if (!endpoint.active) return "held";
    const { organization_id } = endpoint;
    if (
      organization_id !== null &&
      !isActive(await server.store.find("organizations", { id: organization_id }))
    )
      return "paused";
    const text = await bodyOf(delivery, endpoint, context);
    if (text === undefined) return undefined;
    const message = { id: delivery.event_id ?? delivery.id, at: server.now(), body: text };
    return {
      url: endpoint.url,
      body: { type: "application/json", text },
      headers: webhookHeaders(message, ...secretsOf(endpoint, server)),
      internal: endpoint.internal,
    };
  },

  isDone: ({ status }) => status >= 200 && status < 300,
  // 410 disables the endpoint; after any other status it may recover.
  isTemporary: ({ status }) => status !== 410,
  faultOf: ({ status }) =>
    status >= 300 && status < 400 ? "redirect: set the URL of the endpoint to the final address" : null,

  pauseAfter(delivery, _now, answer) {
    const pause = webhookPauses[delivery.attempt - 1];
    if (pause === undefined) return undefined;
    return Math.max(spread(pause, delivery), retryAfter(answer?.headers["retry-after"]) * 1000);
  },

  async after({ target_id }, outcome, answer, { server: { store, now }, onDisabled }) {
    const at = now();
    if (outcome === "done") {
      await store.noteWebhook(target_id, null);
      return outcome;
    }
    if (answer?.status === 410) {
      await store.disableWebhook(target_id, "gone", at, onDisabled);
      return "held";
    }
    await store.noteWebhook(target_id, at);
    const endpoint = await store.find("webhook_endpoints", { id: target_id });
    const since = endpoint?.failing_since;
    if (outcome !== "given_up" || since == null || at.getTime() - since.getTime() < longestFailure)
      return outcome;
    await store.disableWebhook(target_id, "failing", at, onDisabled);
    return "held";
  },
};
