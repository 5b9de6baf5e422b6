import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { APIKey, ServiceAccount, ServiceAccountKeyPair } from "../../records/definition/definition.ts";
import type { EffectivePermissions } from "../access/actor.ts";
import { beyondActor, beyondOwner, mayGive, type Owner } from "../access/giving.ts";
import { scopeErrors } from "../access/grantable.ts";
import { endsSooner } from "./app_changes.ts";
import { makerErrors } from "./app_rules.ts";
import { type Change, forbidden, type Rules, refuseAny, requireSwitch, requireSwitchStays } from "./rules.ts";

/**
 * An API key can have every permission of its owner, so the actor must be allowed to create API keys for this
 * owner.
 */
function ownerErrors(
  actorPermissions: EffectivePermissions,
  { user_id, organization_id }: Owner,
): FieldError[] {
  if (actorPermissions.platform) return [];
  const errors: FieldError[] = [];
  if (user_id !== null && actorPermissions.user_id === null) errors.push(fieldError("/user_id", "not_you"));
  if (organization_id !== null && !mayGive(actorPermissions, { organization_id }).has("api_keys:write")) {
    errors.push(fieldError("/organization_id", "no_permission_there", { permission: "api_keys:write" }));
  }
  if (user_id === null && organization_id === null) {
    errors.push(fieldError("/user_id", "no_owner"));
  }
  return errors;
}

function isOnlyLess(current: APIKey, changes: Partial<APIKey>): boolean {
  // The server sets `scope_owners` itself when `scopes` change.
  const { scopes, scope_owners: _, expires_at, revoked, ...others } = changes;
  return (
    Object.keys(others).length === 0 &&
    revoked !== false &&
    (scopes ?? []).every((scope) => current.scopes.includes(scope)) &&
    (expires_at === undefined || endsSooner(current.expires_at, expires_at))
  );
}

export const apiKeyRules: Rules<"api_keys"> = {
  platform: { self: "user_id" },

  async onNew({ tx, actorPermissions, errors }, { user_id = null, organization_id = null, scopes = [] }) {
    const owner = { user_id, organization_id };
    refuseAny([
      ...errors,
      ...ownerErrors(actorPermissions, owner),
      ...(await scopeErrors(tx, actorPermissions, owner, "scopes", scopes)),
    ]);
  },

  async onChange({ tx, actorPermissions, errors }, current, changes) {
    if (isOnlyLess(current, changes)) return;
    const after = { ...current, ...changes };
    const moved = changes.user_id !== undefined || changes.organization_id !== undefined;
    refuseAny([
      ...errors,
      ...(moved ? ownerErrors(actorPermissions, after) : []),
      ...(await scopeErrors(
        tx,
        actorPermissions,
        after,
        "scopes",
        after.scopes,
        moved ? [] : current.scopes,
      )),
    ]);
    const beyond = await beyondOwner(tx, actorPermissions, after, after.scopes);
    if (beyond.length > 0) throw forbidden(detail("key_beyond_you", { permissions: beyond }));
  },
};

function requireServiceAccounts(actorPermissions: EffectivePermissions, organization_id: string): void {
  if (mayGive(actorPermissions, { organization_id }).has("service_accounts:write")) return;
  throw forbidden(detail("permission_needed_in_organization", { permission: "service_accounts:write" }));
}

function requirePowerOf(
  actorPermissions: EffectivePermissions,
  { allowed_scopes: scopes, organization_id }: Pick<ServiceAccount, "allowed_scopes" | "organization_id">,
): void {
  const beyond = beyondActor(actorPermissions, { scopes, organization_id, actsForUsers: false });
  if (beyond.length === 0) return;
  throw forbidden(detail("service_account_beyond_you", { permissions: beyond }));
}

/**
 * Clients identify a service account by its email address. If a deactivated service account released its
 * address, a new service account could take it.
 */
function requireNameStays(
  { platform }: EffectivePermissions,
  current: ServiceAccount,
  { email }: { email?: string },
) {
  if (platform || email === undefined || !current.switched_off_by_platform) return;
  throw forbidden(detail("not_yours_to_give"), [fieldError("/email", "name_of_switched_off")]);
}

export const serviceAccountRules: Rules<"service_accounts"> = {
  platform: { self: "created_by", kept: ["created_by"] },

  async onNew(change, { organization_id, created_by, allowed_scopes = [] }) {
    const { tx, actorPermissions, errors } = change;
    requireServiceAccounts(actorPermissions, organization_id);
    const owner = { user_id: null, organization_id };
    refuseAny([
      ...errors,
      ...(await makerErrors(change, "created_by", created_by, organization_id)),
      ...(await scopeErrors(tx, actorPermissions, owner, "allowed_scopes", allowed_scopes)),
    ]);
  },

  async onChange({ tx, actorPermissions, errors }, current, changes) {
    const { organization_id, allowed_scopes } = { ...current, ...changes };
    requireSwitch(actorPermissions, current, changes);
    requireNameStays(actorPermissions, current, changes);
    if (changes.active === true) requirePowerOf(actorPermissions, { organization_id, allowed_scopes });
    const moved = organization_id !== current.organization_id;
    if (moved) requireServiceAccounts(actorPermissions, organization_id);
    const owner = { user_id: null, organization_id };
    const had = moved ? [] : current.allowed_scopes;
    refuseAny([
      ...errors,
      ...(await scopeErrors(tx, actorPermissions, owner, "allowed_scopes", allowed_scopes, had)),
    ]);
  },

  onRemoval: ({ actorPermissions }, current) => requireSwitchStays(actorPermissions, current),
};

async function requirePowerOfParent({ tx, actorPermissions }: Change, id: string): Promise<void> {
  const account = await tx.find("service_accounts", { id });
  if (account !== undefined) requirePowerOf(actorPermissions, account);
}

function isOnlyEnding(current: ServiceAccountKeyPair, changes: Partial<ServiceAccountKeyPair>): boolean {
  const { active, revoked, revoked_at: _, expires_at, ...others } = changes;
  return (
    Object.keys(others).length === 0 &&
    active !== true &&
    revoked !== false &&
    (expires_at === undefined || endsSooner(current.expires_at, expires_at))
  );
}

export const keyPairRules: Rules<"service_account_key_pairs"> = {
  platform: { kept: ["service_account_id"] },

  onNew: (change, { service_account_id }) => requirePowerOfParent(change, service_account_id),

  async onChange(change, current, changes) {
    if (isOnlyEnding(current, changes)) return;
    refuseAny(change.errors);
    await requirePowerOfParent(change, changes.service_account_id ?? current.service_account_id);
  },
};

export const signingKeyRules: Rules<"signing_keys"> = {
  platform: {
    create: detail("platform_rotates_signing_keys"),
    remove: detail("platform_rotates_signing_keys"),
  },
};
