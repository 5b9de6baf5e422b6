/** The token endpoint (spec 4.2, RFC 6749 3.2). */
import { OAuthError, ReplayError } from "../../errors.ts";
import type { ApiResource } from "../../records/definition/definition.ts";
import { authenticateClient, namesClient } from "../clients/client_authentication.ts";
import type { Authorization, Sender, TokenResponse } from "../core/authorization.ts";
import { type Params, refuseRepeated, required } from "../core/params.ts";
import { mayUse, offerOf, rulesFor } from "../core/rules_for.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest, Grant } from "../core/server.ts";
import { proveSender, requireKey, requireProof, requireProofAlgorithm, useProof } from "../dpop/sender.ts";
import { refuse } from "../refusals/refuse.ts";
import { issueTokens } from "./issue_tokens.ts";
import { revokeReplayedFamily } from "./replay.ts";

/** Answers a token request, or throws an `OAuthError`. */
export async function token(request: EndpointRequest, server: AuthorizationServer): Promise<TokenResponse> {
  const client = await clientOf(request, server);
  const requested: { grant?: Grant } = {};
  try {
    const grant = grantFor(request.params, client, server);
    requested.grant = grant;
    const sender = await senderOf(request, client, server);
    const authorization = await grant.validate(request.params, client, server, request.origin);
    await requireBoundKey(authorization, sender, server);
    const answer = await issueTokens({ authorization, grant, sender, origin: request.origin }, server);
    noteUse(client, server);
    return answer;
  } catch (error) {
    throw await refusalOf(error, requested.grant, client, request, server);
  }
}

async function clientOf(request: EndpointRequest, server: AuthorizationServer): Promise<AuthenticatedClient> {
  const grant = offerOf(server).grants.get(request.params.get("grant_type") ?? "");
  if (grant?.defaultClient === undefined || namesClient(request, server))
    return authenticateClient(request, server);
  refuseRepeated(request.params);
  return grant.defaultClient(server, request.origin);
}

function grantFor(params: Params, client: AuthenticatedClient, server: AuthorizationServer): Grant {
  const grant_type = required(params, "grant_type");
  const { grants } = offerOf(server);
  const grant = grants.get(grant_type);
  if (grant === undefined) throw refuse("grant_type", { received: grant_type, offered: [...grants.keys()] });
  if (!mayUse(client.app, grant.allowed_as))
    throw refuse("grant_not_allowed", { grant_type, app: client.app });
  return grant;
}

async function senderOf(
  { dpop }: EndpointRequest,
  client: AuthenticatedClient,
  server: AuthorizationServer,
): Promise<Sender | undefined> {
  const rules = rulesFor(client.app, server);
  const sender =
    dpop === undefined
      ? undefined
      : await proveSender({ method: "POST", path: "/oauth/token", dpop }, server);
  if (sender !== undefined) requireProofAlgorithm(sender, rules);
  else if (rules.bound_tokens) requireProof(sender);
  return sender;
}

async function requireBoundKey(
  authorization: Authorization,
  sender: Sender | undefined,
  server: AuthorizationServer,
): Promise<void> {
  if (takesBoundTokensAlone(authorization.resources)) requireProof(sender);
  if (authorization.bound_to !== null) requireKey(authorization.bound_to, sender, authorization);
  if (sender !== undefined) await useProof(sender, server);
}

const takesBoundTokensAlone = (resources: readonly ApiResource[]): boolean =>
  resources.some((resource) => resource.dpop_bound_access_tokens_required);

function noteUse({ app }: AuthenticatedClient, server: AuthorizationServer): void {
  if (rulesFor(app, server).notes_use) server.store.queueUse("oauth_apps", app.id, server.now());
}

/**
 * The tokens of a replayed grant are revoked here, because the rollback of the failed transaction would undo
 * a revocation within it.
 */
async function refusalOf(
  error: unknown,
  grant: Grant | undefined,
  client: AuthenticatedClient,
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<unknown> {
  if (error instanceof ReplayError)
    await revokeReplayedFamily(error, grant?.replay_event, client, request, server);
  if (!(error instanceof OAuthError)) return error;
  // The grants of a deleted client were deleted with it. This error makes the client register again;
  // `invalid_grant` would make the user sign in for nothing (RFC 6749 5.2).
  if (error.code === "invalid_grant" && (await isDeleted(client, server))) return refuse("client_ended");
  return error.about(client.app);
}

async function isDeleted({ app }: AuthenticatedClient, { store }: AuthorizationServer): Promise<boolean> {
  return (await store.find("oauth_apps", { id: app.id })) === undefined;
}
