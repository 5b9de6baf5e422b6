/** Pauses of deliveries that wait for `deliveryLifetime` at most. */
import { deliveryLifetime } from "../../records/names/deliveries.ts";
import type { Delivery } from "./delivery_kind.ts";

const minute = 60_000;
/** Milliseconds after each failed attempt until the next one; the last again and again. */
const pauses = [minute / 6, minute, 5 * minute, 30 * minute, 120 * minute] as const;
const longestPause = 360 * minute;

/** Milliseconds until the next attempt; undefined where the lifetime of the delivery ends first. */
export function pauseWithinLifetime({ attempt, created_at }: Delivery, now: Date): number | undefined {
  const pause = pauses[attempt - 1] ?? longestPause;
  return now.getTime() + pause > created_at.getTime() + deliveryLifetime ? undefined : pause;
}
