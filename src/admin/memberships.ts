import { type Checked, checkChange, checkNew, isUuid } from "../records/check.ts";
import type { Membership, NewRow } from "../records/definition.ts";
import type { AdminContext } from "./actor.ts";
import { changeRecord, deleteRecord, type Expected, insertRecord } from "./changes.ts";
import { type Input, missingReferences, notFound, sound } from "./faults.ts";
import { listPage, type Page, type PageOptions } from "./pages.ts";

/** A new membership as the caller describes it, checked but for whether its user and organization exist. */
export function draftMembership({ store, now }: AdminContext, input: Input): Checked<NewRow<"memberships">> {
  const at = now();
  return checkNew("memberships", input, {
    ...(input.id === undefined ? { id: store.newId(at) } : {}),
    created_at: at,
    updated_at: at,
  });
}

/** A change of a membership, checked: whose it is and where does not change. */
export function draftMembershipChange(current: Membership, input: Input): Checked<Partial<Membership>> {
  const checked = checkChange("memberships", current, input);
  const moved = (["user_id", "organization_id"] as const).filter(
    (name) => checked.record[name] !== undefined && checked.record[name] !== current[name],
  );
  const faults = moved.map((name) => ({
    path: `/${name}`,
    message: "cannot change: make another membership",
  }));
  return { faults: [...checked.faults, ...faults], record: checked.record };
}

/** Makes a user (`user_id`) a member of an organization. Throws 422 `invalid_record`, 409 `conflict`. */
export async function createMembership(context: AdminContext, asked: Input): Promise<Membership> {
  const { faults, record } = draftMembership(context, asked);
  const missing = await missingReferences(context.store, "memberships", record);
  return insertRecord(
    context,
    "memberships",
    sound("memberships", { faults: [...faults, ...missing], record }),
  );
}

export function listMemberships(
  { store }: AdminContext,
  of: Partial<Pick<Membership, "user_id" | "organization_id">> = {},
  options?: PageOptions,
): Promise<Page<Membership>> {
  return listPage(store, "memberships", of, options);
}

/** Throws 404 `not_found`. */
export async function getMembership({ store }: AdminContext, id: string): Promise<Membership> {
  const membership = isUuid(id) ? await store.find("memberships", { id: id.toLowerCase() }) : undefined;
  if (membership === undefined) throw notFound("memberships", id);
  return membership;
}

/** Changes a membership. Throws 404 `not_found`, 422 `invalid_record`, 409 `last_owner`. */
export async function updateMembership(
  context: AdminContext,
  id: string,
  asked: Input,
  expected?: Expected<"memberships">,
): Promise<Membership> {
  const seen = await getMembership(context, id);
  return changeRecord(
    context,
    "memberships",
    seen.id,
    (current) => sound("memberships", draftMembershipChange(current, asked)),
    { expected },
  );
}

/** Ends a membership. Throws 404 `not_found`, 409 `last_owner`. */
export async function deleteMembership(
  context: AdminContext,
  id: string,
  expected?: Expected<"memberships">,
): Promise<void> {
  const membership = await getMembership(context, id);
  await deleteRecord(context, "memberships", membership.id, { expected });
}
