/**
 * The properties of the outbox's deliveries (docs/decisions/events.md). `oauth/deliveries/` has a file for
 * each kind, with its request and the accepted answers.
 */

export const deliveryKinds = ["logout_token", "security_event_token", "webhook"] as const;
export type DeliveryKindName = (typeof deliveryKinds)[number];

/** `failed`: the receiver refused it for good. `given_up`: no attempt succeeded, or too many waited. */
export const deliveryStates = ["waiting", "done", "failed", "given_up"] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Deliveries that wait for one receiver; more are given up at once. */
export const mostWaiting = 10_000;

/** Sessions of a user that an app is notified of one by one when they end together (BL-3). */
export const mostSingleNotices = 5;

const day = 86_400_000;
/** Milliseconds for which a delivery is kept, by its state. */
export const deliveriesKept: Readonly<Record<DeliveryState, number>> = {
  waiting: 30 * day,
  done: 7 * day,
  failed: 30 * day,
  given_up: 30 * day,
};

/** Milliseconds after which a delivery that never succeeded is given up. */
export const deliveryLifetime: number = day;
