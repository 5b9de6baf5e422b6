import { resource } from "../manage/resource.ts";
import { retryDelivery } from "../records/deliveries.ts";
import { created, equal, searchAmong } from "./filters.ts";

export const deliveries = resource("deliveries", {
  filters: [
    ...equal("deliveries", "target_id", "subject_key", "state"),
    searchAmong("deliveries"),
    ...created,
  ],
  columns: ["id", "target_id", "state", "attempt", "last_status", "last_fault", "created_at"],
  newest_first: true,
  verbs: { retry: retryDelivery },
});
