import { readyMade } from "../changes/ready_made.ts";
import { definitionsLock } from "../guards/attribute_rules.ts";
import { resource } from "../manage/resource.ts";
import { equal, searchAmong } from "./filters.ts";

const rules = readyMade("attribute_definitions");

export const attributes = resource("attributes", {
  filters: [
    ...equal("attribute_definitions", "record_type", "organization_id"),
    searchAmong("attribute_definitions"),
  ],
  columns: ["id", "record_type", "name", "value_type", "claim"],
  called_by: ["record_type", "name"],
  ...rules,
  manifest: {
    ...rules.manifest,
    known_by: ["organization_id", "record_type", "name"],
    locks: () => [definitionsLock()],
  },
});
