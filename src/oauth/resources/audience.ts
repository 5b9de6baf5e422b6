/** The `aud` of an access token (RFC 9068 2.2, 3, RFC 8707 2.2) and its signing algorithm. */

import type { ApiResource, Organization } from "../../records/definition/definition.ts";
import { organizationAudience } from "../../records/formats/organization_audience.ts";
import { appProfiles, isReservedScope, type SigningAlgorithm } from "../../records/names/names.ts";
import { demandsOn, isFeatureOn } from "../../records/names/profiles.ts";
import type { AudienceSource } from "../../records/names/request_data.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { Params } from "../core/params.ts";
import type { AuthenticatedClient, AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { ownApi } from "./protected_resources.ts";
import { findApi, refuseScopesBeyond, scopesWithin } from "./requested.ts";
import { mayRequest } from "./who_may_ask.ts";

/**
 * Returns whether this server itself accepts a token with this audience; the scopes decide at which
 * endpoints.
 */
export function isForThisServer(audience: readonly string[], issuer: string): boolean {
  return audience.includes(issuer);
}

interface DefaultAudience {
  readonly audience: readonly string[];
  readonly resources: readonly ApiResource[];
  readonly audience_source: "own" | undefined;
}

/**
 * Returns the audience of a token for which no API was requested. The issuer is added if a scope is for this
 * server (docs/decisions/resources-and-scopes.md).
 */
export function defaultAudience(
  { organization, resources = [] }: Pick<ClientRecord, "organization"> & Partial<ClientRecord>,
  scopes: readonly string[],
  { issuer }: Pick<AuthorizationServer, "issuer">,
): DefaultAudience {
  if (organization === undefined) return { audience: [issuer], resources: [], audience_source: undefined };
  const own = resources.filter(({ active }) => active);
  const isOwn = own.length > 0;
  const audience = isOwn ? own.map(({ identifier }) => identifier) : [organizationAudience(organization)];
  const isForUs = scopes.some((scope) => scope === "openid" || isReservedScope(scope));
  return {
    audience: isForUs && !audience.includes(issuer) ? [...audience, issuer] : audience,
    resources: own,
    audience_source: isOwn ? "own" : undefined,
  };
}

interface LiveAudience {
  readonly audience: readonly string[];
  readonly resources: readonly ApiResource[];
}

interface AuthorizedAudience {
  readonly authorized: readonly string[];
  /** Undefined if the audience contains no API, and for tokens that are older than API records. */
  readonly source: AudienceSource | undefined;
  readonly created_at: Date;
}

function isNoResource(
  member: string,
  organizations: readonly (Organization | undefined)[],
  issuer: string,
): boolean {
  return (
    member === issuer ||
    organizations.some((organization) => organization && organizationAudience(organization) === member)
  );
}

/**
 * Returns the part of an authorized audience that a token may have now. The issuer and the audience of an
 * organization are not APIs and stay. An identifier without a record stays only if the audience is older than
 * API records.
 */
export async function liveAudience(
  { authorized, source, created_at }: AuthorizedAudience,
  organizations: readonly (Organization | undefined)[],
  isKept: (resource: ApiResource) => boolean,
  server: Pick<AuthorizationServer, "store" | "issuer" | "settings">,
): Promise<LiveAudience> {
  const { store, issuer } = server;
  const audience: string[] = [];
  const resources: ApiResource[] = [];
  for (const member of authorized) {
    if (source === undefined && isNoResource(member, organizations, issuer)) {
      audience.push(member);
      continue;
    }
    const found = await store.findResource(member);
    const resource = found?.identifier === member ? found : undefined;
    if (resource === undefined) {
      if (source === undefined || member === issuer) audience.push(member);
      const own = source === "asked" && member === issuer ? ownApi(server) : undefined;
      if (own !== undefined) resources.push(own);
    } else if (resource.active && resource.created_at <= created_at && isKept(resource)) {
      audience.push(member);
      resources.push(resource);
    }
  }
  return { audience, resources };
}

interface NarrowedAudience extends LiveAudience {
  readonly scopes: readonly string[];
}

/**
 * Returns the audience of a user's token: everything that is still authorized, or the part that `resource`
 * requests, in any spelling (PR-8). Throws `invalid_target`, and `invalid_scope` if no granted scope remains.
 */
export async function narrowAudience(
  params: Params,
  client: AuthenticatedClient,
  input: AuthorizedAudience & { readonly scopes: readonly string[] },
  server: AuthorizationServer,
): Promise<NarrowedAudience> {
  const isKept = (resource: ApiResource) =>
    mayRequest(resource, client) || client.resources.some(({ id }) => id === resource.id);
  const live = await liveAudience(input, [client.organization], isKept, server);
  const { authorized } = input;
  const requested = params.all("resource");
  if (live.audience.length === 0) throw refuse("resource_ended", { requested: authorized });
  const wanted = new Set<string>();
  for (const spelling of requested) {
    const member = live.audience.includes(spelling)
      ? spelling
      : (await findApi(spelling, client, server))?.identifier;
    if (member === undefined || !live.audience.includes(member)) {
      const hasEnded = member !== undefined && authorized.includes(member);
      throw hasEnded
        ? refuse("resource_ended", { requested: [member] })
        : refuse("resource_beyond_grant", { requested, allowed: live.audience });
    }
    wanted.add(member);
  }
  const audience = wanted.size === 0 ? live.audience : [...wanted];
  const resources = live.resources.filter(({ identifier }) => audience.includes(identifier));
  if (input.source !== "asked") return { audience, resources, scopes: input.scopes };
  const scopes = scopesWithin(input.scopes, resources, client.app);
  if (scopes.length === 0) refuseScopesBeyond(input.scopes, resources, client.app);
  return { audience, resources, scopes };
}

/**
 * Returns the algorithm of an access token for these APIs. Throws `invalid_target` if the APIs use different
 * algorithms.
 */
export function tokenAlgorithm(
  resources: readonly Pick<ApiResource, "identifier" | "access_token_signing_alg">[],
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

/** Returns the algorithms that tokens for this API may have; apps with and without a profile may differ. */
export function algorithmsOf(
  resource: Pick<ApiResource, "identifier" | "access_token_signing_alg">,
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
