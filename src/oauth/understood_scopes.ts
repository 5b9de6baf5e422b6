import type { ClientRecord } from "../records/client_record.ts";
import type { ApiResource } from "../records/definition.ts";
import { isDefinedScope } from "../records/resource_scopes.ts";
import type { AuthorizationServer } from "./server.ts";

export interface UnderstoodScopes {
  readonly understood: readonly string[];
  /** Those that neither this server nor an API near the app defines. */
  readonly passed_over: readonly string[];
}

/**
 * Which of the scopes of an OpenID request mean something here: those of `known`, and those that are defined.
 * OpenID Connect Core 3.1.2.1 has the others ignored; without `openid` none is (decision 147).
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
