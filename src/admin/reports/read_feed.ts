import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { FeedEventType } from "../../records/names/feed_events.ts";
import type { FeedPart, FeedQuery } from "../../storage/operation/feed.ts";
import { visibility } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";

export interface FeedRequest {
  /** `latest` returns no events, only the newest position. */
  readonly after: number | "latest";
  /**
   * The part of a cursor from `cursorAt` that identifies its event; undefined if the caller sent only a
   * position.
   */
  readonly mark?: string | undefined;
  readonly limit: number;
  readonly types?: readonly FeedEventType[] | undefined;
}

/** The random end of the event's id distinguishes it from another event at the same position. */
const markOf = ({ id }: { readonly id: string }): string => id.slice(-8);

/**
 * Returns a cursor that contains the position and a mark of its event. After a backup was restored, another
 * event can get the position. `readFeed` then refuses the cursor, because the caller would miss events.
 */
export async function cursorAt({ store }: Pick<AdminContext, "store">, position: number): Promise<string> {
  const event = await store.find("events", { position });
  return event === undefined ? String(position) : `${position}.${markOf(event)}`;
}

/**
 * Returns the events after a position, as far as the caller may read them. Throws 403 `forbidden`, 400
 * `invalid_filter` for a position after the newest event. Throws 410 `feed_restored` for a cursor from before
 * a restore. Throws 410 `events_gone` with the oldest position if events after the given one were deleted.
 */
export async function readFeed(
  context: Pick<AdminContext, "actor" | "store">,
  { after, mark, limit, types }: FeedRequest,
): Promise<FeedPart> {
  const { store } = context;
  const seen = await visibility(context, "events");
  const { oldest, newest } = await store.feedBounds();
  if (after === "latest") return { events: [], position: newest };
  if (mark !== undefined) {
    const event = await store.find("events", { position: after });
    // If the event was deleted, only its position can be checked.
    if (event === undefined ? after > newest : markOf(event) !== mark)
      throw new Problem("feed_restored", detail("feed_restored"));
  }
  if (after > newest) {
    const error = fieldError("/after", "after_newest", { position: newest });
    throw new Problem("invalid_filter", detail("wrong_parameter"), [error]);
  }
  if (after < oldest - 1) {
    const error = fieldError("/after", "before_oldest", { position: oldest });
    throw new Problem("events_gone", detail("events_gone"), [error]);
  }
  let query: FeedQuery = { after, limit, types, organization_ids: seen?.organization_ids };
  // Each query searches a bounded range.
  for (;;) {
    const part = await store.readFeed(query, newest);
    if (part.events.length > 0 || part.position >= newest) return part;
    query = { ...query, after: part.position };
  }
}
