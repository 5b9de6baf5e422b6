/** The token endpoint (spec 4.2, RFC 6749 3.2). */
import { OAuthError, ReplayError } from "../../errors.ts";
import type { ApiResource } from "../../records/definition.ts";
import { mayUse } from "../clients/allowed_grants.ts";
import { authenticateClient, namesClient } from "../clients/client_authentication.ts";
import { offeredGrants } from "../offered.ts";
import { type Params, refuseRepeated, required } from "../params.ts";
import { refuse } from "../refusals/refuse.ts";
import { rulesFor } from "../rules/rules_for.ts";
import {
  confirmSender,
  requireKeys,
  requireProofAlgorithm,
  useProofs,
} from "../sender_constraints/binding.ts";
import { requireDpop } from "../sender_constraints/dpop.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest, Grant } from "../server.ts";
import type { TokenResponse } from "./authorization.ts";
import { issueTokens } from "./issue_tokens.ts";

/** Answers a token request, or throws an `OAuthError`. A replay has revoked its family by then. */
export async function token(request: EndpointRequest, server: AuthorizationServer): Promise<TokenResponse> {
  const client = await clientOf(request, server);
  let grant: Grant | undefined;
  try {
    grant = grantFor(request.params, client, server);
    const { params, origin, dpop } = request;
    const confirmation = await confirmSender({ method: "POST", path: "/oauth/token", dpop }, server);
    const rules = rulesFor(client.app, server);
    requireProofAlgorithm(confirmation, rules);
    if (rules.bound_tokens) requireDpop(confirmation);
    const authorization = await grant.validate(params, client, server, origin);
    if (isBoundTo(authorization.resources)) requireDpop(confirmation);
    requireKeys(authorization.bound_to, confirmation, server, authorization);
    await useProofs(confirmation, server);
    const answer = await issueTokens({ authorization, grant, confirmation, origin }, server);
    const { app } = client;
    if (rulesFor(app, server).notes_use) server.store.queueUse("oauth_apps", app.id, server.now());
    return answer;
  } catch (error) {
    // The rollback undid everything that the request wrote, so the family is revoked after it.
    if (error instanceof ReplayError) {
      await revokeReplayedFamily(error, grant?.replay_event, client, request, server);
    }
    if (!(error instanceof OAuthError)) throw error;
    // The grants of a deleted client went with it. It hears that, so that it can register itself anew: an
    // `invalid_grant` would send a person to sign in for nothing (RFC 6749 5.2).
    if (error.code === "invalid_grant" && (await isGone(client, server))) throw refuse("client_ended");
    throw error.about(client.app);
  }
}

/** Whether the client was deleted since it was remembered. */
async function isGone({ app }: AuthenticatedClient, { store }: AuthorizationServer): Promise<boolean> {
  return (await store.find("oauth_apps", { id: app.id })) === undefined;
}

/** The client that authenticates itself, or the one that a grant has for requests that name none. */
async function clientOf(request: EndpointRequest, server: AuthorizationServer): Promise<AuthenticatedClient> {
  const grant = offeredGrants(server).find(
    ({ grant_type }) => grant_type === request.params.get("grant_type"),
  );
  if (grant?.defaultClient === undefined || namesClient(request, server))
    return authenticateClient(request, server);
  refuseRepeated(request.params);
  return grant.defaultClient(server, request.origin);
}

/** Whether one of the APIs takes bound tokens alone. */
function isBoundTo(resources: readonly ApiResource[]): boolean {
  return resources.some((resource) => resource.dpop_bound_access_tokens_required);
}

function grantFor(params: Params, client: AuthenticatedClient, server: AuthorizationServer): Grant {
  const grant_type = required(params, "grant_type");
  const offered = offeredGrants(server);
  const grant = offered.find((each) => each.grant_type === grant_type);
  if (grant === undefined) {
    throw refuse("grant_type", { received: grant_type, offered: offered.map((each) => each.grant_type) });
  }
  if (!mayUse(client.app, grant.allowed_as))
    throw refuse("grant_not_allowed", { grant_type, app: client.app });
  return grant;
}

async function revokeReplayedFamily(
  { family_id }: ReplayError,
  type: Grant["replay_event"],
  client: AuthenticatedClient,
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<void> {
  const { origin } = request;
  const actor = { kind: "client", id: client.app.client_id } as const;
  const target = { table: "oauth_tokens", id: family_id };
  const { organization_id } = client.app;
  const end = async () => {
    const revoked = await server.store.revokeFamily(family_id, "replay", server.now());
    const details = { revoked_tokens: revoked };
    if (type !== undefined) {
      server.report({ type, outcome: "failure", actor, target, organization_id, origin, details });
    }
  };
  try {
    await end();
  } catch (error) {
    // The replay is refused in any case; the family ends as soon as the database takes it.
    if (server.unfinished === undefined) throw error;
    server.unfinished.add({
      attempt: end,
      giveUp: (cause) =>
        server.report({
          type: "revocation_failed",
          outcome: "failure",
          actor,
          target,
          organization_id,
          origin,
          details: { error: "server_error" },
          cause,
        }),
      bytes: 1000,
    });
  }
}
