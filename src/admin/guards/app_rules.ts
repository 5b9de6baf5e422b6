/** Rules for apps, their secrets and the consents to them (spec 2.6, 2.7, 2.10). */
import { isDeepStrictEqual } from "node:util";
import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { permissionsOf } from "../../records/definition/permissions.ts";
import { resourcesInMetadata } from "../../records/formats/metadata.ts";
import { appResourcesLock } from "../../records/names/lock_names.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { beyondActor, mayGive, mayVouch } from "../access/giving.ts";
import { reservedScopeErrors } from "../access/grantable.ts";
import { sharedScopeErrors } from "../access/plain_scopes.ts";
import { endsSooner, isMore, requireTrust, requireTrustInSecrets } from "./app_changes.ts";
import { othersThan, platformError } from "./platform_only.ts";
import { mayWriteResource } from "./resource_rules.ts";
import {
  type Change,
  credentialErrors,
  forbidden,
  type Rules,
  refuseAny,
  refuseInvalid,
  requireRoom,
  requireSwitch,
  requireSwitchStays,
  vouchingErrors,
} from "./rules.ts";

function requireOrganization(actorPermissions: EffectivePermissions, organization_id: string | null): void {
  if (actorPermissions.platform) return;
  if (organization_id === null) {
    throw forbidden(detail("platform_makes_apps_without_organization"));
  }
  if (!mayGive(actorPermissions, { organization_id }).has("apps:write")) {
    throw forbidden(detail("permission_needed_in_organization", { permission: "apps:write" }));
  }
}

function requireMove(actorPermissions: EffectivePermissions, from: string | null, to: string | null): void {
  if (actorPermissions.platform) return;
  requireOrganization(actorPermissions, to);
  for (const id of [from, to]) {
    const role = id === null ? "owner" : actorPermissions.organizations.get(id)?.role;
    if (role === "owner" || role === "admin") continue;
    throw forbidden(detail("not_yours_to_give"), [fieldError("/organization_id", "not_manager_of_both")]);
  }
}

/**
 * Machine actors, such as an organization's API key, name a user as the owner or creator of a record. Returns
 * an error if that user is not a member of the organization.
 */
export async function makerErrors(
  { tx, actorPermissions }: Change,
  field: string,
  user_id: string,
  organization_id: string | null,
): Promise<FieldError[]> {
  if (actorPermissions.platform || actorPermissions.user_id !== null) return [];
  const membership =
    organization_id === null ? undefined : await tx.find("memberships", { user_id, organization_id });
  return membership === undefined ? [fieldError(`/${field}`, "not_organization_member")] : [];
}

/** An app may introspect the tokens for the APIs in its `metadata.resource` (design 6.7). */
async function resourceErrors(
  { tx, actorPermissions }: Change,
  after: Pick<OAuthApp, "id" | "metadata" | "resources" | "organization_id">,
  before: Pick<OAuthApp, "metadata" | "resources">,
): Promise<FieldError[]> {
  const { own: mine, requested: said } = resourcesInMetadata(after.metadata);
  const { own: had } = resourcesInMetadata(before.metadata);
  const errors = vouchingErrors(actorPermissions, { "metadata/resource": !isDeepStrictEqual(mine, had) });
  for (const [index, identifier] of after.resources.entries()) {
    if (before.resources.includes(identifier)) continue;
    const resource = await tx.find("resources", { identifier });
    const isSaid = said.includes(identifier);
    const isOpen =
      resource === undefined
        ? isSaid && mayVouch(actorPermissions)
        : mayWriteResource(actorPermissions, resource);
    if (isOpen) continue;
    errors.push(
      isSaid
        ? fieldError("/metadata/resources", "resources_beyond_organization")
        : fieldError(`/resources/${index}`, "resource_not_yours"),
    );
  }
  const added = mine.filter((identifier) => !had.includes(identifier));
  if (errors.length > 0 || added.length === 0) return errors;
  await tx.lock(appResourcesLock());
  for (const identifier of added) {
    const resource = await tx.find("resources", { identifier });
    if (resource === undefined || resource.app_ids.includes(after.id)) continue;
    const { organization_id, app_ids } = resource;
    const isOthers = organization_id !== null && organization_id !== after.organization_id;
    const known = await Promise.all(app_ids.map((id) => tx.find("oauth_apps", { id })));
    if (isOthers || known.some((app) => app !== undefined)) {
      throw new Problem("conflict", detail("resource_taken"), [fieldError("/metadata/resource", "taken")]);
    }
  }
  return errors;
}

/**
 * An organization's API may list only apps of the organization, so an app that it lists may not move to
 * another organization.
 */
async function listedErrors(
  { tx }: Change,
  { id, organization_id, metadata }: Pick<OAuthApp, "id" | "organization_id" | "metadata">,
): Promise<FieldError[]> {
  if (organization_id === null) return [];
  await tx.lock(appResourcesLock());
  const { own } = resourcesInMetadata(metadata);
  const apis = await tx.listColumns("resources", ["app_ids", "identifier"], { organization_id });
  const names = apis
    .filter(({ app_ids, identifier }) => app_ids.includes(id) && !own.includes(identifier))
    .map(({ identifier }) => identifier);
  return names.length === 0 ? [] : [fieldError("/organization_id", "listed_by_apis", { names })];
}

function requirePowerOf(
  actorPermissions: EffectivePermissions,
  { allowed_scopes, organization_id, allowed_grants }: OAuthApp,
): void {
  const actsForUsers = allowed_grants.includes("auth_code");
  const beyond = beyondActor(actorPermissions, { scopes: allowed_scopes, organization_id, actsForUsers });
  if (beyond.length === 0) return;
  throw forbidden(detail("app_beyond_you", { permissions: beyond }));
}

/**
 * These fields decide whether the server fetches the key set at `jwks_uri` even from private IP addresses.
 */
const fetchRules = ["jwks_uri", "organization_id", "provenance"] as const;

const mayFetchPrivately = ({ jwks_uri, organization_id }: Pick<OAuthApp, "jwks_uri" | "organization_id">) =>
  jwks_uri !== null && organization_id === null;

export const appRules: Rules<"oauth_apps"> = {
  platform: { fields: ["first_party", "backchannel_logout_internal"], self: "owner_id", kept: ["owner_id"] },

  async onNew(change, record) {
    const { actorPermissions, errors } = change;
    const app = {
      organization_id: null,
      metadata: null,
      resources: [],
      allowed_scopes: [],
      first_party: false,
      backchannel_logout_internal: false,
      jwks_uri: null,
      ...record,
    };
    requireOrganization(actorPermissions, app.organization_id);
    await requireRoom(change, "oauth_apps", { organization_id: app.organization_id });
    refuseAny([
      ...errors,
      ...(await makerErrors(change, "owner_id", app.owner_id, app.organization_id)),
      ...credentialErrors(actorPermissions, {
        first_party: app.first_party,
        backchannel_logout_internal: app.backchannel_logout_internal,
        jwks_uri: mayFetchPrivately(app),
      }),
      ...reservedScopeErrors(actorPermissions, app.allowed_scopes),
      ...(await resourceErrors(change, app, { metadata: null, resources: [] })),
    ]);
  },

  async onChange(change, current, changes) {
    const { actorPermissions, errors } = change;
    const after = { ...current, ...changes };
    const moved = after.organization_id !== current.organization_id;
    if (moved) {
      requireMove(actorPermissions, current.organization_id, after.organization_id);
      await requireRoom(change, "oauth_apps", { organization_id: after.organization_id });
    }
    requireTrust(actorPermissions, current, changes);
    requireSwitch(actorPermissions, current, changes);
    // If the app moves to another organization, approvals by a platform administrator no longer apply.
    const before = moved ? { allowed_scopes: [], metadata: null, resources: [] } : current;
    // A platform administrator approved private IP addresses only for the URI that the app has now.
    const redirected = current.backchannel_logout_internal && changes.backchannel_logout_uri !== undefined;
    const fetched = mayFetchPrivately(after) && fetchRules.some((name) => changes[name] !== undefined);
    refuseAny([
      ...errors,
      ...vouchingErrors(actorPermissions, { backchannel_logout_uri: redirected, jwks_uri: fetched }),
      ...credentialErrors(actorPermissions, {
        first_party: changes.first_party === true,
        backchannel_logout_internal: changes.backchannel_logout_internal === true,
      }),
      ...(moved || changes.allowed_scopes !== undefined
        ? [
            ...reservedScopeErrors(actorPermissions, after.allowed_scopes, before.allowed_scopes),
            ...(await sharedScopeErrors(change.tx, actorPermissions, after, before.allowed_scopes)),
          ]
        : []),
      ...(moved || changes.metadata !== undefined || changes.resources !== undefined
        ? await resourceErrors(change, after, before)
        : []),
    ]);
    if (isMore(current, changes)) requirePowerOf(actorPermissions, after);
    if (moved) refuseInvalid("oauth_apps", await listedErrors(change, current));
  },

  onRemoval: ({ actorPermissions }, current) => requireSwitchStays(actorPermissions, current),
};

/** The holder of a secret can act as the app. */
async function requireSecrets({ tx, actorPermissions }: Change, app_id: string): Promise<void> {
  const app = await tx.find("oauth_apps", { id: app_id });
  if (app === undefined) return;
  requireTrustInSecrets(actorPermissions, app);
  requirePowerOf(actorPermissions, app);
}

export const appSecretRules: Rules<"oauth_app_secrets"> = {
  platform: { kept: ["app_id"] },

  onNew: (change, { app_id }) => requireSecrets(change, app_id),

  async onChange(change, current, changes) {
    const { expires_at, ...others } = changes;
    const isEnding =
      changes.revoked === true ||
      (expires_at !== undefined &&
        endsSooner(current.expires_at, expires_at) &&
        Object.keys(others).length === 0);
    if (isEnding) return;
    refuseAny(change.errors);
    await requireSecrets(change, changes.app_id ?? current.app_id);
  },
};

function requireReachOf(
  actorPermissions: EffectivePermissions,
  user_id: string,
  scopes: readonly string[],
): void {
  const mine = mayGive(actorPermissions, { user_id });
  refuseAny(
    scopes.flatMap((scope, index) =>
      [...permissionsOf([scope])].every((permission) => mine.has(permission))
        ? []
        : [fieldError(`/scopes/${index}`, "scope_beyond_you")],
    ),
  );
}

/**
 * Users create consents on the consent page. Otherwise, only platform administrators may create or widen a
 * consent; other actors may narrow or withdraw it.
 */
export const consentRules: Rules<"oauth_consents"> = {
  platform: { create: detail("consent_page_only") },

  onNew({ actorPermissions }, { user_id, scopes = [] }) {
    requireReachOf(actorPermissions, user_id, scopes);
  },

  onChange({ actorPermissions }, current, changes) {
    const after = { ...current, ...changes };
    const isNarrower = after.scopes.every((scope) => current.scopes.includes(scope));
    const takesBack = changes.granted !== true && changes.revoked !== false;
    const stays = changes.user_id === undefined && changes.app_id === undefined;
    if (actorPermissions.platform) {
      if (!(isNarrower && takesBack && stays)) requireReachOf(actorPermissions, after.user_id, after.scopes);
      return;
    }
    const kept = othersThan("oauth_consents", [
      ...(isNarrower ? ["scopes"] : []),
      ...(takesBack ? ["granted", "revoked", "revoked_at", "revoked_reason"] : []),
    ]);
    refuseAny(kept.filter((name) => name in changes).map(platformError));
  },
};
