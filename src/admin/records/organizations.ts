import { type Checked, checkChange, checkNew } from "../../records/check.ts";
import type { NewRow, Organization } from "../../records/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import { changeRecord, deleteRecord, type Expected, insertRecord } from "../changes.ts";
import { assertValid, type Input } from "../faults.ts";
import { removeOrganization } from "./removals.ts";

/** A new organization as the caller describes it, checked. */
export function draftOrganization(
  { store, now }: AdminContext,
  input: Input,
): Checked<NewRow<"organizations">> {
  const at = now();
  return checkNew("organizations", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    created_at: at,
    updated_at: at,
  });
}

/** A change of an organization, checked. */
export function draftOrganizationChange(current: Organization, input: Input): Checked<Partial<Organization>> {
  return checkChange("organizations", current, input);
}

/** Creates an organization. Throws 422 `invalid_record`, 409 `conflict`. */
export async function createOrganization(context: AdminContext, asked: Input): Promise<Organization> {
  const record = assertValid("organizations", draftOrganization(context, asked));
  return insertRecord(context, "organizations", record);
}

/**
 * Changes an organization; `active: false` ends the tokens of its apps and service accounts at once (design
 * 6.18). Throws 404 `not_found`, 422 `invalid_record`, 409 `conflict`.
 */
export async function updateOrganization(
  context: AdminContext,
  id: string,
  asked: Input,
  expected?: Expected<"organizations">,
): Promise<Organization> {
  return changeRecord(
    context,
    "organizations",
    id,
    (current) => assertValid("organizations", draftOrganizationChange(current, asked)),
    { expected },
  );
}

/**
 * Deletes an organization with its memberships, API keys, apps and service accounts, and all their tokens.
 * Throws 404 `not_found`.
 */
export async function deleteOrganization(
  context: AdminContext,
  id: string,
  expected?: Expected<"organizations">,
): Promise<void> {
  await deleteRecord(context, "organizations", id, { expected, remove: (tx) => removeOrganization(tx, id) });
}
