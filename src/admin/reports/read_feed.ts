import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { FeedEventType } from "../../records/names/feed_events.ts";
import type { FeedPart, FeedQuery } from "../../storage/operation/feed.ts";
import { visibility } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";

export interface FeedRequest {
  /** The last position that the caller has read; `latest` reads no events but returns the newest position. */
  readonly after: number | "latest";
  /** The mark of a cursor (`cursorAt`); omitted if the caller sent only a position. */
  readonly mark?: string | undefined;
  readonly limit: number;
  readonly types?: readonly FeedEventType[] | undefined;
}

/** The last 8 characters are random in every id, so a cursor recognizes its event by them. */
const markOf = ({ id }: { readonly id: string }): string => id.slice(-8);

/**
 * Returns the cursor of a position: the position and the mark of its event. After a restore from a backup,
 * another event may get that position. `readFeed` then refuses the cursor, so that the caller does not miss
 * events.
 */
export async function cursorAt({ store }: Pick<AdminContext, "store">, position: number): Promise<string> {
  const event = await store.find("events", { position });
  return event === undefined ? String(position) : `${position}.${markOf(event)}`;
}

/**
 * Returns the next events after a position, from the organizations where the caller may read them. Throws 403
 * `forbidden`, 400 `invalid_filter` for a position after the newest, 410 `feed_restored` for the cursor of an
 * event that the feed does not have, and 410 `events_gone` with the oldest position if events after the given
 * one were deleted.
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
    // If the event was deleted, its mark cannot be compared.
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
  // A range without a matching event is skipped, so that the caller gets the next one.
  for (;;) {
    const part = await store.readFeed(query, newest);
    if (part.events.length > 0 || part.position >= newest) return part;
    query = { ...query, after: part.position };
  }
}
