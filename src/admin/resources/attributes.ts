import { standardAttribute } from "../../records/rules/attributes.ts";
import { requireValues } from "../access/used_names.ts";
import { readyMade } from "../changes/ready_made.ts";
import { deleteRecord } from "../changes/removal.ts";
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
  remove: (context, id, expected) =>
    deleteRecord(context, "attribute_definitions", id, {
      expected,
      async remove(tx, current) {
        // Deleting the definition of a standard attribute restores the default readers, so it requires the
        // same permission as changing the readers.
        const standard = standardAttribute(current);
        if (standard !== undefined) await requireValues(tx, context, { ...current, ...standard }, current);
        await tx.remove("attribute_definitions", { id });
      },
    }),
});
