/** What an authorization request asks for: its scopes, and the APIs where it names none (PR-4, PR-5). */
import type { ClientRecord } from "../../records/client_record.ts";
import type { ApiResource } from "../../records/definition.ts";
import { openidScopes } from "../../records/names.ts";
import { scopesOf } from "../../records/resource_scopes.ts";
import { mayUse } from "../clients/allowed_grants.ts";
import type { Params } from "../params.ts";
import { refuse } from "../refusals/refuse.ts";
import { readResources } from "../resources.ts";
import { rulesFor } from "../rules/rules_for.ts";
import { isGrantable, narrowScopes, readScopes } from "../scope.ts";
import type { AuthorizationServer } from "../server.ts";
import { understoodScopes } from "../understood_scopes.ts";

/** What a request is about. */
export interface RequestedAccess {
  readonly requested_scopes: readonly string[];
  readonly resources: readonly ApiResource[];
}

function namesScopes(params: Params): boolean {
  return (params.get("scope") ?? "").trim() !== "";
}

/**
 * The only API that any client may ask for, where the request of an open client is about it without saying
 * so: it asks for no scope, or for one of that API. Older clients know no `resource`.
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
 * The scopes that a request for these APIs may be granted. `offline_access` is for every client that may
 * refresh. An open client has those of OpenID Connect that its record holds, and whatever the APIs offer.
 */
export function allowedScopes(
  { app }: Pick<ClientRecord, "app">,
  resources: readonly ApiResource[],
  server: AuthorizationServer,
): readonly string[] {
  const offline = mayUse(app, "refresh") ? ["offline_access"] : [];
  if (rulesFor(app, server).scopes.unavailable === "refused") return [...app.allowed_scopes, ...offline];
  const personal = openidScopes.filter((name) => name === "openid" || app.allowed_scopes.includes(name));
  return [...new Set([...personal, ...offline, ...resources.flatMap(scopesOf)])].filter(isGrantable);
}

/** What is granted where the request asks for no scope; throws `invalid_scope` where nothing is. */
function unaskedScopes(
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
      // An API without scopes of its own is asked for all the same.
      return own.length > 0 ? own : ["openid"];
    }
  }
}

/**
 * `offline_access` is taken from every client that may refresh and left out for every other, as OpenID
 * Connect Core 11 has it; real clients ask for it unbidden. Of an open client's scopes those that it
 * may not have are left out as well, and of every OpenID request those that nothing defines; the answer says
 * what is left (RFC 6749 3.3).
 */
async function requestedScopes(
  params: Params,
  client: ClientRecord,
  resources: readonly ApiResource[],
  server: AuthorizationServer,
): Promise<readonly string[]> {
  const { app } = client;
  const allowed = allowedScopes(client, resources, server);
  if (!namesScopes(params)) return unaskedScopes(client, resources, allowed, server);
  const scopes = readScopes(params.get("scope"));
  const leavesOut = rulesFor(app, server).scopes.unavailable === "left_out";
  const kept = leavesOut
    ? scopes.filter((name) => allowed.includes(name))
    : scopes.filter((name) => name !== "offline_access" || mayUse(app, "refresh"));
  if (kept.length === 0) throw refuse("no_scope_allowed", { requested: scopes, allowed });
  const { understood, passed_over } = await understoodScopes(kept, allowed, { app, resources }, server);
  const requested = narrowScopes(understood, allowed);
  if (passed_over.length > 0) await server.store.notePassedOver(app.id, passed_over, server.now());
  return requested;
}

/** The scopes and the APIs that are asked for. Throws `invalid_scope` and `invalid_target`. */
export async function readAccess(
  params: Params,
  client: ClientRecord,
  server: AuthorizationServer,
): Promise<RequestedAccess> {
  const named = await readResources(params, client, server);
  const implies = named.length === 0 && rulesFor(client.app, server).scopes.unasked === "of_resource";
  const resources = implies ? await impliedResources(params, server) : named;
  return { requested_scopes: await requestedScopes(params, client, resources, server), resources };
}
