/** APIs that tokens are for (decision 46). */
import { removal } from "../ready_made.ts";
import {
  createResource,
  draftResource,
  draftResourceChange,
  missingAccessTokenKey,
  updateResource,
} from "../records/resources.ts";
import { created, equal, search } from "./filters.ts";
import { resource } from "./resource.ts";

export const apiResources = resource("resources", {
  filters: [
    ...equal("resources", "identifier", "organization_id", "who_may_ask", "active"),
    search("name and identifier"),
    ...created,
  ],
  columns: ["identifier", "name", "who_may_ask", "active", "id"],
  manifest: { draft: draftResource, change: draftResourceChange, needs: missingAccessTokenKey },
  create: async (context, input) => ({ row: await createResource(context, input) }),
  update: updateResource,
  remove: removal("resources"),
});
