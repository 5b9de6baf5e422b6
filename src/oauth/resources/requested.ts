/**
 * The requested APIs (RFC 8707) and scopes, with the defaults of a request that names none (PR-4, PR-5,
 * docs/decisions/resources-and-scopes.md).
 */

import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { managementScopes } from "../../records/definition/permissions.ts";
import { resourceError } from "../../records/formats/metadata.ts";
import { isDefinedScope, scopesOf } from "../../records/formats/resource_scopes.ts";
import {
  isReservedScope,
  isScopeToken,
  isSignalScope,
  membershipScopes,
  openidScopes,
  releasesPhone,
} from "../../records/names/names.ts";
import { type ClientRecord, isOpenClient } from "../../records/rules/client_record.ts";
import type { Params } from "../core/params.ts";
import { mayUse, rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { knowsOrganizations, withoutNames } from "../organizations/context.ts";
import { refuse } from "../refusals/refuse.ts";
import { truncate } from "../refusals/without_secrets.ts";
import { isOwnIdentifier, ownApi } from "./protected_resources.ts";
import { mayRequest, nearestResources, type Requester } from "./who_may_ask.ts";

interface RequestedAccess {
  readonly requested_scopes: readonly string[];
  readonly resources: readonly ApiResource[];
  /** These scopes are ignored because no API defines them. */
  readonly passed_over: readonly string[];
}

function namesScopes(params: Params): boolean {
  return (params.get("scope") ?? "").trim() !== "";
}

/**
 * Older clients do not send `resource`. If exactly one API accepts any client, their requests imply this API,
 * unless they name only scopes that it does not define.
 */
async function impliedResources(params: Params, { store }: AuthorizationServer): Promise<ApiResource[]> {
  const open = await store.list("resources", { who_may_ask: "any", active: true }, { limit: 2 });
  const [only] = open;
  if (only === undefined || open.length > 1) return [];
  const own = scopesOf(only);
  const isMeant = !namesScopes(params) || readScopes(params.get("scope")).some((name) => own.includes(name));
  return isMeant ? [only] : [];
}

/**
 * Returns the scopes that a request for these APIs may be granted. A client that no administrator registered
 * gets every scope of the APIs, but of the scopes in its record only those of OpenID Connect.
 */
export function allowedScopes(
  { app }: Pick<ClientRecord, "app">,
  resources: readonly ApiResource[],
): readonly string[] {
  const offline = mayUse(app, "refresh") ? ["offline_access"] : [];
  if (!isOpenClient(app)) return [...app.allowed_scopes, ...offline];
  const personal = openidScopes.filter((name) => name === "openid" || app.allowed_scopes.includes(name));
  return [...new Set([...personal, ...offline, ...resources.flatMap(scopesOf)])].filter(isGrantable);
}

function defaultScopes(
  { app }: ClientRecord,
  resources: readonly ApiResource[],
  allowed: readonly string[],
  server: AuthorizationServer,
): readonly string[] {
  const isAllowed = (name: string) => allowed.includes(name) && isGrantable(name);
  switch (rulesFor(app, server).scopes.unasked) {
    case "refused":
      throw refuse("scope_missing");
    case "of_app": {
      const own = (app.default_scopes ?? []).filter(isAllowed);
      if (own.length === 0) throw refuse("scope_missing");
      return own;
    }
    case "of_resource": {
      const own = [...new Set(resources.flatMap(({ default_scopes }) => default_scopes))].filter(isAllowed);
      return own.length > 0 ? own : ["openid"];
    }
  }
}

/**
 * `offline_access` is left out if the client may not refresh (RFC 6749 3.3, OpenID Connect Core 11, R-11).
 */
async function requestedScopes(
  params: Params,
  client: ClientRecord,
  resources: readonly ApiResource[],
  server: AuthorizationServer,
): Promise<Omit<RequestedAccess, "resources">> {
  const { app } = client;
  const allowed = allowedScopes(client, resources);
  if (!namesScopes(params)) {
    return { requested_scopes: defaultScopes(client, resources, allowed, server), passed_over: [] };
  }
  const scopes = withoutNames(readScopes(params.get("scope")), app);
  const leavesOut = rulesFor(app, server).scopes.unavailable === "left_out";
  const kept = leavesOut
    ? scopes.filter((name) => allowed.includes(name))
    : scopes.filter((name) => name !== "offline_access" || mayUse(app, "refresh"));
  if (kept.length === 0) throw refuse("no_scope_allowed", { requested: scopes, allowed });
  const { understood, passed_over } = await understoodScopes(kept, allowed, { app, resources }, server);
  return { requested_scopes: narrowScopes(understood, allowed), passed_over };
}

export async function notePassedOver(
  { passed_over }: RequestedAccess,
  { app }: Pick<ClientRecord, "app">,
  { store, now }: AuthorizationServer,
): Promise<void> {
  // An app may send a secret as a scope by mistake, and its developers see the recorded names. `truncate`
  // removes known forms of secrets.
  if (passed_over.length > 0) await store.notePassedOver(app.id, passed_over.map(truncate), now());
}

/** Returns the requested scopes and APIs. Throws `invalid_scope` and `invalid_target`. */
export async function readAccess(
  params: Params,
  client: ClientRecord,
  server: AuthorizationServer,
): Promise<RequestedAccess> {
  const named = await readResources(params, client, server);
  const implies = named.length === 0 && rulesFor(client.app, server).scopes.unasked === "of_resource";
  const resources = implies ? await impliedResources(params, server) : named;
  return { ...(await requestedScopes(params, client, resources, server)), resources };
}

/** Returns the distinct scopes of a `scope` parameter, in order (RFC 6749 3.3). Throws `invalid_scope`. */
export function readScopes(scope: string | undefined): string[] {
  const scopes = (scope ?? "").split(" ").filter((name) => name !== "");
  if (scopes.length === 0) throw refuse("scope_missing");
  if (!scopes.every(isScopeToken)) throw refuse("scope_malformed");
  return [...new Set(scopes)];
}

/**
 * Returns the requested scopes. Throws `invalid_scope` unless all of them are allowed. Of this server's own
 * scopes, a token contains only those of the management API and of shared signals; the others apply to the
 * client itself (design 6.7).
 */
export function narrowScopes(requested: readonly string[], allowed: readonly string[]): readonly string[] {
  const beyond = requested.find((name) => !allowed.includes(name) || !isGrantable(name));
  if (beyond !== undefined) {
    throw refuse("scope_not_allowed", { scope: beyond, requested, allowed: allowed.filter(isGrantable) });
  }
  return requested;
}

export function isGrantable(scope: string): boolean {
  return !isReservedScope(scope) || managementScopes.includes(scope) || isSignalScope(scope);
}

export function isAboutUser(scope: string): boolean {
  return scope === "openid" || scope === "offline_access";
}

/**
 * Returns the scopes of a client or service account that acts for itself and requests none (RFC 6749 3.3).
 * Throws `invalid_scope` if none remain.
 */
export function machineDefaultScopes(
  { default_scopes: named }: Pick<OAuthApp, "default_scopes">,
  allowed: readonly string[],
): readonly string[] {
  const granted = (named ?? allowed).filter(
    (name) =>
      allowed.includes(name) && !isAboutUser(name) && (named ? isGrantable(name) : !isReservedScope(name)),
  );
  if (granted.length > 0) return [...new Set(granted)];
  throw refuse("scope_missing_without_default");
}

export function refuseUserScopes(scopes: readonly string[]): void {
  const received = scopes.filter(isAboutUser);
  if (received.length > 0) throw refuse("scope_of_user", { received });
}

export function coversScopes(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((name) => held.includes(name));
}

interface UnderstoodScopes {
  readonly understood: readonly string[];
  readonly passed_over: readonly string[];
}

/**
 * Separates the scopes that OpenID Connect Core 3.1.2.1 says to ignore. Without `openid` no scope is ignored
 * (docs/decisions/resources-and-scopes.md).
 */
export async function understoodScopes(
  scopes: readonly string[],
  known: readonly string[],
  { app, resources }: Pick<ClientRecord, "app"> & { readonly resources: readonly ApiResource[] },
  { store }: Pick<AuthorizationServer, "store">,
): Promise<UnderstoodScopes> {
  const beyond = scopes.filter((name) => !known.includes(name));
  if (beyond.length === 0 || !scopes.includes("openid")) return { understood: scopes, passed_over: [] };
  const apis = [...resources, ...(await store.resourcesNear(app))];
  const passed_over = beyond.filter((name) => !isDefinedScope(name, apis));
  return { understood: scopes.filter((name) => !passed_over.includes(name)), passed_over };
}

/**
 * Returns the API that a `resource` value denotes. An API with a record may still be closed to the client.
 */
export async function findApi(
  spelling: string,
  requester: Requester,
  server: AuthorizationServer,
): Promise<ApiResource | undefined> {
  const recorded = await server.store.findResource(spelling);
  if (recorded !== undefined || !isOwnIdentifier(spelling, server)) return recorded;
  const own = ownApi(server);
  return own !== undefined && mayRequest(own, requester) ? own : undefined;
}

/**
 * Returns the distinct APIs of the `resource` parameters (RFC 8707 2). Throws `invalid_target`, with the same
 * description for an unknown API and for one that this client may not request.
 */
export async function readResources(
  params: Params,
  requester: Requester,
  server: AuthorizationServer,
): Promise<readonly ApiResource[]> {
  const found = new Map<string, ApiResource>();
  for (const requested of params.all("resource")) {
    if (resourceError(requested) !== undefined)
      throw refuse("resource_malformed", { requested: [requested] });
    const resource = await findApi(requested, requester, server);
    if (resource === undefined || !mayRequest(resource, requester)) {
      const nearest = () => nearestResources(requested, requester, server);
      throw refuse("resource_not_allowed", { requested, nearest });
    }
    found.set(resource.identifier, resource);
  }
  return [...found.values()];
}

const openid: ReadonlySet<string> = new Set(openidScopes);

interface ResourceScopes {
  readonly available: readonly string[];
  readonly defaults: readonly string[];
}

/**
 * Returns the scopes and the default scopes of all requested APIs together. Undefined means that all the
 * client's scopes are allowed.
 */
export function scopesOfResources(resources: readonly ApiResource[]): ResourceScopes | undefined {
  const stated = resources.map(scopesOf);
  if (stated.length === 0 || stated.some((scopes) => scopes.length === 0)) return undefined;
  return {
    available: [...new Set(stated.flat())],
    defaults: [...new Set(resources.flatMap(({ default_scopes }) => default_scopes))],
  };
}

export function scopesWithin(
  scopes: readonly string[],
  resources: readonly ApiResource[],
  app?: Pick<OAuthApp, "organization_mode" | "claims">,
): string[] {
  const { available } = scopesOfResources(resources) ?? {};
  const ofMembership = app !== undefined && knowsOrganizations(app) ? membershipScopes : [];
  const ofUser = app !== undefined && releasesPhone(app, "phone") ? ["phone"] : [];
  return scopes.filter(
    (scope) =>
      available === undefined ||
      available.includes(scope) ||
      openid.has(scope) ||
      [...ofMembership, ...ofUser].includes(scope),
  );
}

/** Throws `invalid_scope` for a scope that `scopesWithin` drops. */
export function refuseScopesBeyond(
  scopes: readonly string[],
  resources: readonly ApiResource[],
  app?: Pick<OAuthApp, "organization_mode" | "claims">,
): void {
  const within = scopesWithin(scopes, resources, app);
  const scope = scopes.find((name) => !within.includes(name));
  if (scope === undefined) return;
  const allowed = scopesOfResources(resources)?.available ?? [];
  throw refuse("scope_not_of_resource", { scope, requested: scopes, allowed });
}
