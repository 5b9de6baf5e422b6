import { deliveriesKept } from "../../records/names/deliveries.ts";
import type { AuthorizationServer } from "../core/server.ts";
import type { Stream } from "./signal_of.ts";

/**
 * Returns the outbox row of a token to push. `event_id` names an event of the feed, or one about the stream.
 */
export function deliveryOf(
  { app_id }: Pick<Stream, "app_id">,
  about: { readonly subject_key: string; readonly event_id: string; readonly organization_id: string | null },
  { store }: Pick<AuthorizationServer, "store">,
  at: Date,
) {
  return {
    id: store.newId(at),
    kind: "security_event_token" as const,
    target_id: app_id,
    ...about,
    due_at: at,
    expires_at: new Date(at.getTime() + deliveriesKept.waiting),
    created_at: at,
  };
}
