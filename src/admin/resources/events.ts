import { resource } from "../manage/resource.ts";
import { created, equal, searchAmong } from "./filters.ts";

export const events = resource("events", {
  filters: [...equal("events", "type", "subject_id"), searchAmong("events"), ...created],
  columns: ["position", "created_at", "type", "subject_kind", "subject_id", "organization_id", "data"],
  newest_first: true,
});
