/**
 * Properties of the outbox's deliveries (docs/decisions/events.md). `oauth/deliveries/` has a file for each
 * kind, with its request and the accepted responses.
 */

export const deliveryKinds = ["logout_token", "security_event_token", "webhook"] as const;
export type DeliveryKindName = (typeof deliveryKinds)[number];

/**
 * `failed`: the receiver refused the delivery permanently. `given_up`: no attempt succeeded, or too many
 * deliveries waited.
 */
export const deliveryStates = ["waiting", "done", "failed", "given_up"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Maximum waiting deliveries for one receiver; more are given up immediately. */
export const mostWaiting = 10_000;

/** Maximum sessions of a user whose common end is reported to an app one by one (BL-3). */
export const mostSingleNotices = 5;

const day = 86_400_000;
/** How long a delivery is stored, by its state, in milliseconds. */
export const deliveriesKept: Readonly<Record<DeliveryState, number>> = {
  waiting: 30 * day,
  done: 7 * day,
  failed: 30 * day,
  given_up: 30 * day,
};

/** Milliseconds after which an unsuccessful delivery is given up. */
export const deliveryLifetime: number = day;
