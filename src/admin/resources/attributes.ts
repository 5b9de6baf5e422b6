import type { AttributeDefinition } from "../../records/definition/definition.ts";
import { standardAttribute } from "../../records/rules/attributes.ts";
import { attributesOfProvider } from "../../records/rules/provided_attributes.ts";
import type { AdminContext } from "../access/actor.ts";
import { requireValues } from "../access/used_names.ts";
import { type Transaction, writeChange } from "../changes/changes.ts";
import { readyMade } from "../changes/ready_made.ts";
import { deleteRecord } from "../changes/removal.ts";
import { definitionsLock } from "../guards/attribute_rules.ts";
import { resource } from "../manage/resource.ts";
import { equal, searchAmong } from "./filters.ts";

const rules = readyMade("attribute_definitions");

/**
 * Deletes a definition, and removes the attribute from the `attribute_claims` of providers that may then no
 * longer write it.
 */
async function removeDefinition(
  tx: Transaction,
  { id, name, organization_id: owner }: AttributeDefinition,
  at: Date,
  context: AdminContext,
): Promise<void> {
  await tx.remove("attribute_definitions", { id });
  for (const provider of await tx.list("providers", owner === null ? {} : { organization_id: owner })) {
    const { attribute_claims, organization_id } = provider;
    if (attribute_claims === null || !Object.hasOwn(attribute_claims, name)) continue;
    const definitions = await Promise.all(
      [...new Set([null, organization_id])].map((of) =>
        tx.list("attribute_definitions", { organization_id: of }),
      ),
    );
    const left = attributesOfProvider(provider, definitions.flat());
    if (left.some((each) => each.name === name)) continue;
    const { [name]: _, ...others } = attribute_claims;
    const changes = { attribute_claims: Object.keys(others).length === 0 ? null : others };
    await writeChange(tx, context, "providers", provider, changes, at);
  }
}

export const attributes = resource("attributes", {
  filters: [
    ...equal("attribute_definitions", "record_type", "organization_id"),
    searchAmong("attribute_definitions"),
  ],
  columns: ["id", "record_type", "name", "value_type", "claim"],
  called_by: ["organization_id", "record_type", "name"],
  ...rules,
  manifest: {
    ...rules.manifest,
    known_by: ["organization_id", "record_type", "name"],
    locks: () => [definitionsLock()],
    remove: removeDefinition,
  },
  remove: (context, id, expected) =>
    deleteRecord(context, "attribute_definitions", id, {
      expected,
      locks: [definitionsLock()],
      async remove(tx, current) {
        // Deleting the definition of a standard attribute restores the default readers, so it requires the
        // same permission as changing the readers.
        const standard = standardAttribute(current);
        if (standard !== undefined) await requireValues(tx, context, { ...current, ...standard }, current);
        await removeDefinition(tx, current, context.now(), context);
      },
    }),
});
