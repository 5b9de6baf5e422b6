import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { ApiResource, NewRow } from "../../records/definition/definition.ts";
import { appResourcesLock } from "../../records/names/lock_names.ts";
import {
  identifierKey,
  isBelow,
  keysAbove,
  namesOfOrganization,
} from "../../records/names/resource_identifiers.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { mayGive, mayVouch } from "../access/giving.ts";
import { othersThan } from "./platform_only.ts";
import {
  type Change,
  credentialErrors,
  forbidden,
  type Rules,
  refuseAny,
  requireRoom,
  vouchingErrors,
} from "./rules.ts";

/** Returns whether the actor may change this API. */
export function mayWriteResource(
  actorPermissions: EffectivePermissions,
  { organization_id }: Pick<ApiResource, "organization_id">,
): boolean {
  return organization_id === null
    ? mayVouch(actorPermissions)
    : mayGive(actorPermissions, { organization_id }).has("resources:write");
}

/**
 * Resource servers trust the audience in a token, so a platform administrator decides who gets an identifier.
 * An organization may choose identifiers below its own prefix or below one of its APIs (`isBelow`).
 */
async function identifierErrors(
  { tx, actorPermissions }: Change,
  identifier: string,
  organization_id: string | null,
): Promise<FieldError[]> {
  if (mayVouch(actorPermissions)) return [];
  if (organization_id === null) return vouchingErrors(actorPermissions, { identifier: true });
  const key = identifierKey(identifier) ?? identifier;
  if (isBelow(key, namesOfOrganization(organization_id))) return [];
  for (const identifier_key of keysAbove(key))
    if ((await tx.count("resources", { identifier_key, organization_id })) > 0) return [];
  return [fieldError("/identifier", "identifier_beyond_organization")];
}

/** The apps in `app_ids` may introspect the API's tokens. */
async function appErrors(
  { tx, actorPermissions }: Change,
  after: Pick<ApiResource, "organization_id" | "app_ids">,
  before: readonly string[],
): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  // Prevents a listed app from moving to another organization meanwhile.
  if (after.organization_id !== null && after.app_ids.length > 0) await tx.lock(appResourcesLock());
  for (const [index, id] of after.app_ids.entries()) {
    if (before.includes(id)) continue;
    const app = await tx.find("oauth_apps", { id });
    const path = `/app_ids/${index}`;
    if (after.organization_id === null) {
      errors.push(...vouchingErrors(actorPermissions, { [`app_ids/${index}`]: true }));
    } else if (app?.organization_id !== after.organization_id) {
      errors.push(fieldError(path, "app_of_other_organization"));
    }
  }
  if (mayVouch(actorPermissions)) return errors;
  const moved = [
    ...after.app_ids.filter((id) => !before.includes(id)),
    ...before.filter((id) => !after.app_ids.includes(id)),
  ];
  for (const id of moved) {
    const app = await tx.find("oauth_apps", { id });
    if (app?.first_party === true) errors.push(fieldError("/app_ids", "vouched_for"));
  }
  return errors;
}

const withDefaults = ({ organization_id = null, app_ids = [] }: NewRow<"resources">) => ({
  organization_id,
  app_ids,
});

export const resourceRules: Rules<"resources"> = {
  platform: { kept: ["organization_id"] },

  async onNew(change, record) {
    const { organization_id, app_ids } = withDefaults(record);
    if (organization_id !== null) await requireRoom(change, "resources", { organization_id });
    refuseAny([
      ...(await identifierErrors(change, record.identifier, organization_id)),
      ...(await appErrors(change, { organization_id, app_ids }, [])),
    ]);
  },

  async onChange(change, current, changes) {
    const after = { ...current, ...changes };
    const isMoved = changes.organization_id !== undefined;
    // All users may use an API of the server, so any change to it requires an unrestricted credential.
    const vouched = current.organization_id === null ? othersThan("resources", []) : ["organization_id"];
    const changed = vouched.filter((name) => name in changes);
    refuseAny([
      ...change.errors,
      ...credentialErrors(change.actorPermissions, Object.fromEntries(changed.map((name) => [name, true]))),
      ...(isMoved || changes.app_ids !== undefined
        ? await appErrors(change, after, isMoved ? [] : current.app_ids)
        : []),
    ]);
  },

  onRemoval({ actorPermissions }, { organization_id }) {
    if (organization_id !== null || mayVouch(actorPermissions)) return;
    throw forbidden(detail("not_yours_to_give"), [fieldError("/organization_id", "full_credential_only")]);
  },
};
