import { deliveriesKept, deliveryLifetime } from "../../records/names/deliveries.ts";
import type { Delivery } from "./delivery_kind.ts";

const minute = 60_000;
/** Milliseconds after the first, second, third, fourth and fifth failed attempt. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;

/**
 * Returns a pause that is longer by up to a tenth, derived from the id, so deliveries that failed together
 * are not retried together.
 */
export function spread(pause: number, { id }: Pick<Delivery, "id">): number {
  return pause * (1 + Number.parseInt(id.slice(-4), 16) / 0xffff / 10);
}

/** Returns the milliseconds until the next attempt; undefined if the delivery's lifetime ends first. */
export function pauseWithinLifetime(delivery: Delivery, now: Date): number | undefined {
  const { attempt, expires_at } = delivery;
  const pause = spread(pauses[attempt - 1] ?? longestPause, delivery);
  const since = expires_at.getTime() - deliveriesKept.waiting;
  return now.getTime() + pause > since + deliveryLifetime ? undefined : pause;
}
