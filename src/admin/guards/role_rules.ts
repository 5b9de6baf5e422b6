/** Roles in organizations (OC-6). */
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { Role } from "../../records/definition/definition.ts";
import { roleNameKey } from "../../records/formats/role_names.ts";
import type { Change, Rules } from "./rules.ts";

/**
 * Throws 409 `conflict` if an organization's role has the name of a server role, because tokens contain both.
 */
async function requireOwnName(
  { tx }: Change,
  { organization_id = null, name }: Partial<Role> & Pick<Role, "name">,
): Promise<void> {
  if (organization_id === null) return;
  if ((await tx.find("roles", { name_key: roleNameKey(null, name) })) === undefined) return;
  const fields = ["name"];
  throw new Problem("conflict", detail("record_exists", { record: "role", fields }), [
    fieldError("/name", "taken"),
  ]);
}

export const roleRules: Rules<"roles"> = {
  onNew: requireOwnName,
  async onChange(change, current, changes) {
    if (changes.name !== undefined) await requireOwnName(change, { ...current, ...changes });
  },
};
