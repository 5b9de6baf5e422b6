/** Pauses between attempts of a delivery, within `deliveryLifetime`. */
import { deliveriesKept, deliveryLifetime } from "../../records/names/deliveries.ts";
import type { Delivery } from "./delivery_kind.ts";

const minute = 60_000;
/** Milliseconds between a failed attempt and the next one; the last value repeats. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;

/**
 * Returns the milliseconds until the next attempt; undefined if the delivery's lifetime ends first. It begins
 * when the delivery is written, released or retried by an administrator.
 */
export function pauseWithinLifetime({ attempt, expires_at }: Delivery, now: Date): number | undefined {
  const pause = pauses[attempt - 1] ?? longestPause;
  const since = expires_at.getTime() - deliveriesKept.waiting;
  return now.getTime() + pause > since + deliveryLifetime ? undefined : pause;
}
