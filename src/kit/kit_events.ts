/** The events of the feed for a test: all committed ones, without waiting. */
import type { Config } from "../config.ts";
import { isFeatureOn } from "../records/names/profiles.ts";
import type { Audit, Deliveries } from "../storage/ports.ts";
import type { EventOptions, KitEvent } from "./kit_types.ts";

const batch = 1000;

/** Returns the events. Throws if the server has no event feed. */
export async function eventsOf(
  store: Pick<Audit & Deliveries, "flush" | "numberEvents" | "feedBounds" | "readFeed">,
  config: Config,
  { after = 0, types }: EventOptions = {},
): Promise<KitEvent[]> {
  if (!isFeatureOn("events", config)) throw new Error('the kit needs the setting extra_features: "events"');
  await store.flush();
  while ((await store.numberEvents()) > 0);
  const { newest } = await store.feedBounds();
  const events: KitEvent[] = [];
  for (let at = after; at < newest; ) {
    const part = await store.readFeed({ after: at, limit: batch, types }, newest);
    events.push(...part.events.map(({ arrived: _, ...event }) => event));
    at = part.position;
  }
  return events;
}
