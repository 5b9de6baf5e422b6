import { resource } from "../manage/resource.ts";
import { resourcesOfApps } from "../manifest/members/carried_resources.ts";
import { refusingResources } from "../manifest/members/refused_apps.ts";
import {
  createResource,
  deleteResource,
  draftExportedResource,
  draftResourceChange,
  missingAccessTokenKey,
  removeResource,
  updateResource,
} from "../records/resources.ts";
import { created, equal, search } from "./filters.ts";

export const apiResources = resource("resources", {
  filters: [
    ...equal("resources", "identifier", "organization_id", "who_may_ask", "active"),
    search("name or identifier"),
    ...created,
  ],
  columns: ["identifier", "name", "who_may_ask", "active", "id"],
  manifest: {
    draft: draftExportedResource,
    change: draftResourceChange,
    needs: missingAccessTokenKey,
    further: resourcesOfApps,
    ...refusingResources,
    remove: (tx, row, _, context) => removeResource(tx, context, row),
  },
  create: async (context, input) => ({ row: await createResource(context, input) }),
  update: updateResource,
  remove: deleteResource,
});
