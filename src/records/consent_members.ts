/** The fields of a consent beyond spec 2.10: what the person was shown when they allowed it. */
import { object, optional, string } from "./field.ts";

export const consentMembers = {
  document_hash: optional(string("of the app's document that the person allowed", { internal: true })),
  scopes_by_resource: optional(
    object("which of the scopes were allowed for each API, by its id; null: for every API", {
      internal: true,
    }),
  ),
} as const;
