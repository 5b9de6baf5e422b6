/** What a person allowed a client before, and what of it a new request keeps (PR-12, PR-27). */

import type { OAuthApp, OAuthConsent, User } from "../../records/definition/definition.ts";
import { consentedScopes } from "../../records/rules/consented_scopes.ts";
import { allowedScopes, coversScopes } from "../resources/requested.ts";
import { rulesFor } from "../rules/rules_for.ts";
import type { AuthorizationServer } from "../server.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";

/**
 * The consent in force for the client as it is: a person who allowed another document allowed another client.
 */
export async function consentInForce(
  user: User,
  app: OAuthApp,
  { store }: Pick<AuthorizationServer, "store">,
): Promise<OAuthConsent | undefined> {
  const consent = await store.findConsent(user.id, app.id);
  return consent?.document_hash === app.document_hash ? consent : undefined;
}

/**
 * A request for more than was allowed keeps what was: the client learnt of the missing scope while it used
 * the others, and many ask for that one alone. One for less stays as it is.
 */
export async function steppedUp(
  request: AuthorizationRequest,
  user: User,
  server: AuthorizationServer,
): Promise<AuthorizationRequest> {
  const { client, requested_scopes, resources } = request;
  if (!rulesFor(client.app, server).scopes.steps_up) return request;
  const consent = await consentInForce(user, client.app, server);
  const earlier = consent === undefined ? [] : consentedScopes(consent, resources);
  if (coversScopes(earlier, requested_scopes)) return request;
  const available = allowedScopes(client, resources, server);
  const kept = earlier.filter((name) => available.includes(name) && !requested_scopes.includes(name));
  return { ...request, requested_scopes: [...requested_scopes, ...kept] };
}
