/** Properties of deliveries to applications and webhook endpoints (docs/decisions/events.md). */

/** Each kind of delivery, and the tables that `target_id` and `event_id` of its rows refer to. */
export const deliveryTables = {
  logout_token: { target: "oauth_apps", event: "sessions" },
  security_event_token: { target: "oauth_apps", event: "events" },
  webhook: { target: "webhook_endpoints", event: "events" },
} as const;
export type DeliveryKindName = keyof typeof deliveryTables;
export const deliveryKinds = Object.keys(deliveryTables) as readonly DeliveryKindName[];

/**
 * `failed`: the receiver refused the delivery permanently. `given_up`: no attempt succeeded, too many
 * deliveries were waiting, or the delivery was skipped when its endpoint was reactivated.
 */
export const deliveryStates = ["waiting", "done", "failed", "given_up"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const mostWaiting = 10_000;

/**
 * If at most this many sessions of a user end together, an app gets one notice for each of them. If more end,
 * it gets a single notice, unless it requires session IDs (BL-3).
 */
export const mostSingleNotices = 5;

const day = 86_400_000;
/** How long a delivery is stored, by its state, in milliseconds. */
export const deliveriesKept: Readonly<Record<DeliveryState, number>> = {
  waiting: 30 * day,
  done: 7 * day,
  failed: 30 * day,
  given_up: 30 * day,
};

/** Milliseconds after which an unsuccessful delivery is given up, except for webhooks (`webhookPauses`). */
export const deliveryLifetime: number = day;
