/** Pauses between attempts of a delivery, within `deliveryLifetime`. */
import { deliveryLifetime } from "../../records/names/deliveries.ts";
import type { Delivery } from "./delivery_kind.ts";

const minute = 60_000;
/** Milliseconds between a failed attempt and the next one; the last value repeats. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;

/** Returns the milliseconds until the next attempt; undefined if the delivery's lifetime ends first. */
export function pauseWithinLifetime({ attempt, created_at }: Delivery, now: Date): number | undefined {
  const pause = pauses[attempt - 1] ?? longestPause;
  return now.getTime() + pause > created_at.getTime() + deliveryLifetime ? undefined : pause;
}
