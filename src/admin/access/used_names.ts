import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { AttributeDefinition, NewRow, Role } from "../../records/definition/definition.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import { isMistakable, skeletonOf } from "../../records/names/look_alikes.ts";
import type { Transaction } from "../../storage/database/database.ts";
import { type AdminContext, type EffectivePermissions, permissionsOfActor } from "./actor.ts";
import { mayVouch } from "./giving.ts";

/**
 * Prevents a custom role and a membership's `role` that is not built in from getting the same name. The lock
 * is exclusive for naming the custom role, and shared for writing such a membership.
 */
export const roleNamesLock = () => recordLock("roles", "every name");

type Context = Pick<AdminContext, "actor" | "store">;
type Used = Pick<AttributeDefinition, "record_type" | "organization_id" | "name">;

/**
 * Returns the conflicts of an attribute definition with stored values and with definitions of organizations.
 * Stored values remain when their definition is deleted, and a new definition with the same name would apply
 * to them.
 */
export async function usedNameErrors(
  tx: Transaction,
  context: Context,
  { organization_id = null, record_type, name, writers = [], claim = null }: NewRow<"attribute_definitions">,
  before?: AttributeDefinition,
): Promise<FieldError[]> {
  const used = { organization_id, record_type, name };
  const isProvided = writers.includes("provider") && before?.writers.includes("provider") !== true;
  const isNew = before === undefined;
  const isNewClaim = claim !== null && claim !== before?.claim;
  return [
    ...(isNew && organization_id !== null ? await hiddenValueErrors(tx, context, used) : []),
    ...(isNew && organization_id === null ? await nameErrors(tx, context, used) : []),
    ...(isNewClaim && organization_id === null ? await claimErrors(tx, context, claim) : []),
    // Stored values of other writers would otherwise pass for values from the provider.
    ...(isProvided && (await context.store.countValued(tx, used)) > 0
      ? [fieldError("/writers", "values_of_others")]
      : []),
  ];
}

/**
 * Throws 403 `forbidden` naming the fields that would expose stored values, or let others change values that
 * only platform administrators write. An unrestricted platform administrator may change these fields.
 */
export async function requireValues(
  tx: Transaction,
  context: Context,
  after: NewRow<"attribute_definitions">,
  before: AttributeDefinition | undefined,
): Promise<void> {
  const actorPermissions = await permissionsOfActor(context);
  const names = before === undefined ? newOver(actorPermissions) : widened(actorPermissions, before, after);
  if (names.length === 0 || mayVouch(actorPermissions)) return;
  if ((await context.store.countValued(tx, { organization_id: null, ...after })) === 0) return;
  const code = actorPermissions.platform ? "full_credential_only" : "platform_only";
  const errors = names.map((name) => fieldError(`/${name}`, code));
  throw new Problem("forbidden", detail("not_yours_to_give"), errors);
}

/**
 * A platform administrator may define a name that has stored values only with an unrestricted credential. For
 * organizations, `usedNameErrors` already refuses such a name.
 */
const newOver = ({ platform }: EffectivePermissions): readonly string[] => (platform ? ["name"] : []);

function widened(
  { platform }: EffectivePermissions,
  before: AttributeDefinition,
  { readers = [], scopes = [], writers = [], claim = null }: NewRow<"attribute_definitions">,
): readonly string[] {
  const isUnread = platform || !before.readers.includes("admin");
  // If `scopes` is empty, every token contains the claim.
  const isReleased =
    scopes.some((each) => !before.scopes.includes(each)) || (before.scopes.length > 0 && scopes.length === 0);
  return [
    ...(isUnread && readers.some((each) => !before.readers.includes(each)) ? ["readers"] : []),
    ...(isUnread && claim !== null && claim !== before.claim ? ["claim"] : []),
    ...(isUnread && claim !== null && isReleased ? ["scopes"] : []),
    ...(before.writers.length === 0 && writers.length > 0 ? ["writers"] : []),
  ];
}

/**
 * An organization must not define a name that has stored values, because only platform administrators may
 * read them.
 */
async function hiddenValueErrors(tx: Transaction, context: Context, used: Used): Promise<FieldError[]> {
  const { platform } = await permissionsOfActor(context);
  const isHidden = !platform && (await context.store.countValued(tx, used)) > 0;
  return isHidden ? [fieldError("/name", "taken")] : [];
}

/** If organizations use the name, their values would become values of the server's attribute. */
async function nameErrors(tx: Transaction, { store }: Context, used: Used): Promise<FieldError[]> {
  const { record_type, name } = used;
  if (record_type === "users") return [];
  const definitions = (await ofOrganizations(tx, { record_type, name })).length;
  const records = await store.countValued(tx, used);
  const isUsed = definitions + records > 0;
  return isUsed ? [fieldError("/name", "used_by_organizations", { definitions, records })] : [];
}

/** If organizations use the claim, the server's claim would replace theirs in tokens. */
async function claimErrors(tx: Transaction, { store }: Context, claim: string): Promise<FieldError[]> {
  const definitions = await ofOrganizations(tx, { claim });
  let records = 0;
  for (const each of definitions) records += await store.countValued(tx, each);
  return definitions.length > 0
    ? [fieldError("/claim", "used_by_organizations", { definitions: definitions.length, records })]
    : [];
}

async function ofOrganizations(
  tx: Transaction,
  where: Partial<AttributeDefinition>,
): Promise<AttributeDefinition[]> {
  const found = await tx.list("attribute_definitions", where);
  return found.filter(({ organization_id }) => organization_id !== null);
}

/**
 * Throws 409 `conflict` if memberships already have this name, or one that looks like it, as their `role`.
 * Applications would take the text for the custom role, because tokens contain both (OC-6).
 */
export async function requireUnheldName(
  tx: Transaction,
  { store }: Context,
  { organization_id = null, name }: Partial<Role> & Pick<Role, "name">,
): Promise<void> {
  await tx.lock(roleNamesLock());
  const own = new Set([skeletonOf(name)]);
  const held = await store.rolesAsText(tx, organization_id);
  const alike = held.find(({ role }) => isMistakable(role, own));
  if (alike === undefined) return;
  const organization = await tx.find("organizations", { id: alike.organization_id });
  const names = { role: alike.role, organization: organization?.slug ?? "" };
  throw new Problem("conflict", detail("role_of_members", names), [fieldError("/name", "taken")]);
}
