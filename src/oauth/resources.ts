/** The APIs that tokens are asked for (RFC 8707, decision 46), and what they ask of the tokens. */
import type { ApiResource } from "../records/definition.ts";
import { resourceError } from "../records/metadata.ts";
import { appProfiles, openidScopes, type SigningAlgorithm } from "../records/names.ts";
import { demandsOn, isFeatureOn } from "../records/profiles.ts";
import { scopesOf } from "../records/resource_scopes.ts";
import { type Asker, mayAskFor } from "./may_ask_for.ts";
import type { Params } from "./params.ts";
import { isOwnIdentifier, ownApi } from "./protected_resources.ts";
import { refuse } from "./refusals/refuse.ts";
import type { AuthorizationServer } from "./server.ts";

/**
 * The API that a spelling stands for: one with a record, or this server itself, for a client that may ask for
 * it. One with a record may still be closed to the client.
 */
export async function findApi(
  spelling: string,
  asker: Asker,
  server: AuthorizationServer,
): Promise<ApiResource | undefined> {
  const recorded = await server.store.findResource(spelling);
  if (recorded !== undefined || !isOwnIdentifier(spelling, server)) return recorded;
  const own = ownApi(server);
  return own !== undefined && mayAskFor(own, asker) ? own : undefined;
}

/**
 * The APIs that the parameters `resource` ask for, each once (RFC 8707 2); none where none is asked for.
 * Throws `invalid_target`: one that is unknown is refused as one that this client may not ask for.
 */
export async function readResources(
  params: Params,
  asker: Asker,
  server: AuthorizationServer,
): Promise<readonly ApiResource[]> {
  const found = new Map<string, ApiResource>();
  for (const requested of params.all("resource")) {
    if (resourceError(requested) !== undefined)
      throw refuse("resource_malformed", { requested: [requested] });
    const resource = await findApi(requested, asker, server);
    if (resource === undefined || !mayAskFor(resource, asker)) {
      throw refuse("resource_not_allowed", { requested, asker, server });
    }
    found.set(resource.identifier, resource);
  }
  return [...found.values()];
}

const openid: ReadonlySet<string> = new Set(openidScopes);

/** The scopes that tokens for these APIs may carry, and those of a client that asks for none. */
export interface ResourceScopes {
  readonly available: readonly string[];
  readonly defaults: readonly string[];
}

/**
 * The scopes of the APIs that a token is asked for, all together; undefined where one of them states none, or
 * none is asked for: then it takes whatever the client is allowed. The scopes of OpenID Connect are beside
 * them.
 */
export function scopesOfResources(resources: readonly ApiResource[]): ResourceScopes | undefined {
  const stated = resources.map(scopesOf);
  if (stated.length === 0 || stated.some((scopes) => scopes.length === 0)) return undefined;
  return {
    available: [...new Set(stated.flat())],
    defaults: [...new Set(resources.flatMap(({ default_scopes }) => default_scopes))],
  };
}

/** Of these scopes, those that a token for these APIs may carry. */
export function scopesWithin(scopes: readonly string[], resources: readonly ApiResource[]): string[] {
  const { available } = scopesOfResources(resources) ?? {};
  return scopes.filter((scope) => available === undefined || available.includes(scope) || openid.has(scope));
}

/** Throws `invalid_scope` for a requested scope that none of the APIs has. */
export function refuseScopesBeyond(scopes: readonly string[], resources: readonly ApiResource[]): void {
  const within = scopesWithin(scopes, resources);
  const scope = scopes.find((name) => !within.includes(name));
  if (scope === undefined) return;
  const allowed = scopesOfResources(resources)?.available ?? [];
  throw refuse("scope_not_of_resource", { scope, requested: scopes, allowed });
}

/**
 * What signs an access token for these APIs: what they name, where the rules allow it; `usual` where they
 * name nothing. Throws `invalid_target` where they name different algorithms.
 */
export function tokenAlgorithm(
  resources: readonly ApiResource[],
  rules: {
    readonly access_token_algorithm: SigningAlgorithm;
    readonly token_algorithms: readonly SigningAlgorithm[] | null;
  },
): SigningAlgorithm {
  const usual = rules.access_token_algorithm;
  const isAllowed = (name: SigningAlgorithm) => rules.token_algorithms?.includes(name) ?? true;
  const named = new Set(
    resources.map(({ access_token_signing_alg: name }) => (name !== null && isAllowed(name) ? name : usual)),
  );
  const [algorithm = usual, ...others] = named;
  if (others.length > 0) {
    throw refuse("resources_differ", { requested: resources.map(({ identifier }) => identifier) });
  }
  return algorithm;
}

/** What may sign tokens for this API: apps with a profile may have another algorithm than those without. */
export function algorithmsOf(
  resource: ApiResource,
  { settings }: Pick<AuthorizationServer, "settings">,
): readonly SigningAlgorithm[] {
  const kept = appProfiles.filter((profile) =>
    demandsOn({ profile }, settings).features.every((feature) => isFeatureOn(feature, settings)),
  );
  const signing = [null, ...kept].map((profile) => {
    const { token_algorithms } = demandsOn({ profile }, settings);
    const [access_token_algorithm] = token_algorithms ?? (["RS256"] as const);
    return tokenAlgorithm([resource], { access_token_algorithm, token_algorithms });
  });
  return [...new Set(signing)];
}
