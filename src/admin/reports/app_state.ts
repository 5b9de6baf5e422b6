import type { OAuthApp } from "../../records/definition/definition.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import { isActive } from "../../records/names/liveness.ts";
import { hasPermission, requirePermission } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import type { SecretState } from "./app_risks.ts";

export interface AppState {
  readonly app: OAuthApp;
  readonly secrets: readonly SecretState[] | undefined;
  readonly owner_active: boolean;
  readonly organization_active: boolean;
  readonly api_scopes: readonly string[];
  readonly passed_over: readonly string[];
}

/** Returns an app with the other data that `risksOf` needs. */
export async function appState(
  context: Pick<AdminContext, "actor" | "store" | "now">,
  id: string,
  permission: Extract<Permission, `apps:${string}`>,
): Promise<AppState> {
  const { store, now } = context;
  const ownership = await requirePermission(context, permission, "oauth_apps", id);
  const app = await store.find("oauth_apps", { id: id.toLowerCase() });
  if (app === undefined) throw notFound("oauth_apps", id);
  const mayReadSecrets = hasPermission(await permissionsOfActor(context), "app_secrets:read", ownership);
  const [owner, organization, secrets, apis, passed_over] = await Promise.all([
    store.find("users", { id: app.owner_id }),
    app.organization_id === null ? undefined : store.find("organizations", { id: app.organization_id }),
    mayReadSecrets ? store.list("oauth_app_secrets", { app_id: app.id }) : undefined,
    store.resourcesNear(app),
    store.passedOverScopes(app.id, now()),
  ]);
  return {
    app,
    secrets: secrets?.map(({ secret_prefix, created_at, expires_at, last_used_at, revoked }) => ({
      secret_prefix,
      created_at,
      expires_at,
      last_used_at,
      revoked,
    })),
    owner_active: isActive(owner),
    organization_active: organization === undefined || isActive(organization),
    api_scopes: apis.flatMap(scopesOf),
    passed_over,
  };
}
