/** Definitions of attributes (docs/attributes.md). */
import { fieldError } from "../../errors/field_errors.ts";
import type { NewRow } from "../../records/definition/definition.ts";
import type { Transaction } from "../../storage/ports.ts";
import type { AdminContext } from "../access/actor.ts";
import { invalidRecord } from "../access/errors.ts";
import { readyMade } from "../changes/ready_made.ts";
import { resource } from "../manage/resource.ts";
import { equal, searchAmong } from "./filters.ts";

/**
 * Throws 422 `invalid_record` if organizations use the name of a new attribute of the server. Their values
 * would become the server's, and its claims. Values outlive their definition, so they count too.
 */
async function requireUnused(
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  { organization_id = null, record_type, name }: NewRow<"attribute_definitions">,
): Promise<void> {
  if (organization_id !== null || record_type === "users") return;
  const definitions = await tx.list("attribute_definitions", { record_type, name });
  const others = definitions.filter((each) => each.organization_id !== null).length;
  const records = await store.countValued(tx, record_type, name);
  if (others + records === 0) return;
  throw invalidRecord("attribute_definitions", [
    fieldError("/name", "used_by_organizations", { definitions: others, records }),
  ]);
}

const rules = readyMade("attribute_definitions", {
  also: (context, record) => (tx) => requireUnused(tx, context, record),
});

export const attributes = resource("attributes", {
  filters: [
    ...equal("attribute_definitions", "record_type", "organization_id"),
    searchAmong("attribute_definitions"),
  ],
  columns: ["id", "record_type", "name", "value_type", "claim"],
  called_by: ["record_type", "name"],
  ...rules,
  manifest: { ...rules.manifest, known_by: ["organization_id", "record_type", "name"] },
});
