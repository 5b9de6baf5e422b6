/** The audience of a token, out of what was authorized (RFC 8707 2.2). */
import type { ApiResource } from "../../../records/definition.ts";
import { type AuthorizedAudience, type LiveAudience, liveAudience } from "../../live_audience.ts";
import { mayAskFor } from "../../may_ask_for.ts";
import type { Params } from "../../params.ts";
import { refuse } from "../../refusals/refuse.ts";
import { findApi, refuseScopesBeyond, scopesWithin } from "../../resources.ts";
import type { AuthenticatedClient, AuthorizationServer } from "../../server.ts";

/** The audience of one token, its APIs, and the granted scopes that are theirs. */
export interface NarrowedAudience extends LiveAudience {
  readonly scopes: readonly string[];
}

/**
 * The audience of a token of a user: all that was authorized and is left, or the part that `resource` asks
 * for, in any spelling (PR-8). Throws `invalid_target`, and `invalid_scope` where no granted scope is left.
 */
export async function narrowAudience(
  params: Params,
  client: AuthenticatedClient,
  given: AuthorizedAudience & { readonly scopes: readonly string[] },
  server: AuthorizationServer,
): Promise<NarrowedAudience> {
  const isKept = (resource: ApiResource) =>
    mayAskFor(resource, client) || client.resources.some(({ id }) => id === resource.id);
  const live = await liveAudience(given, [client.organization], isKept, server);
  const { authorized } = given;
  const requested = params.all("resource");
  if (live.audience.length === 0) throw refuse("resource_ended", { requested: authorized });
  const asked = new Set<string>();
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
    asked.add(member);
  }
  const audience = asked.size === 0 ? live.audience : [...asked];
  const resources = live.resources.filter(({ identifier }) => audience.includes(identifier));
  if (given.source !== "asked") return { audience, resources, scopes: given.scopes };
  const scopes = scopesWithin(given.scopes, resources);
  if (scopes.length === 0) refuseScopesBeyond(given.scopes, resources);
  return { audience, resources, scopes };
}
