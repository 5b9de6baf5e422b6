/** Issues authorization codes for requests that the caller has checked (spec 2.9, RFC 6749 4.1.2). */

import { credentialPrefix, newCredential, signatureOf } from "../../crypto/credentials.ts";
import type { Session } from "../../records/definition/definition.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { usualLimits } from "../../records/formats/session_limits.ts";
import { clocksDiffer, endOfGrant, madeAt } from "../../records/names/liveness.ts";
import { writeRequestData } from "../../records/names/request_data.ts";
import type { Member } from "../../records/rules/member.ts";
import type { PushedReference } from "../../storage/clients/pushed_requests.ts";
import { offersFeature, rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthorizationRequest } from "./authorization_request.ts";
import type { SignInState } from "./interaction.ts";
import { type AnswerOutcome, answerWithCode } from "./response_modes.ts";

/**
 * `state`, `nonce`, `redirect_uri`, `dpop_jkt` and the PKCE challenge have their own columns; `id_token_hint`
 * is a token and is not stored.
 */
const keptParameters = [
  "response_type",
  "client_id",
  "scope",
  "prompt",
  "max_age",
  "acr_values",
  "ui_locales",
  "display",
];

interface GrantedRequest {
  readonly request: AuthorizationRequest;
  readonly member: Member | undefined;
  readonly pushed: PushedReference | undefined;
  readonly signedIn: SignedIn;
  readonly signIn: Pick<SignInState, "authentication" | "satisfied">;
  readonly origin: RequestOrigin;
}

/**
 * Creates a code, stores its hash, and returns the response that sends the code to the client. Throws
 * `pushed_used`, shown to the user, if another request used the pushed request first.
 */
export async function issueCode(
  { request, member, pushed, signedIn, signIn, origin }: GrantedRequest,
  server: AuthorizationServer,
): Promise<AnswerOutcome> {
  const { user, session } = signedIn;
  const {
    client,
    redirect_uri,
    requested_scopes,
    state,
    nonce,
    code_challenge,
    resources,
    dpop_jkt,
    params,
  } = request;
  const created_at = server.now();
  const { satisfied, authentication } = signIn;
  const { auth_time, acr, amr, of_organization } = authentication;
  const code = newCredential(credentialPrefix.code, created_at);
  const parameters = keptParameters.flatMap((name) => {
    const value = params.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const row = {
    id: server.store.newId(created_at),
    code_signature: signatureOf(code, created_at.getTime()),
    app_id: client.app.id,
    user_id: user.id,
    code_challenge: code_challenge ?? null,
    code_challenge_method: code_challenge === undefined ? null : "S256",
    redirect_uri,
    scopes: requested_scopes,
    state: state ?? null,
    nonce: nonce ?? null,
    dpop_jkt: dpop_jkt ?? null,
    membership_id: member?.membership.id ?? null,
    request_data: writeRequestData({
      parameters: Object.fromEntries(parameters),
      resource: resources.map(({ identifier }) => identifier),
      session_id: session.id,
      ...(auth_time !== undefined && { auth_time: Math.floor(auth_time.getTime() / 1000) }),
      acr,
      amr,
      ...(of_organization && { of_organization }),
      ...(isShortened(session) &&
        !requested_scopes.includes("offline_access") && {
          session_ends_at: Math.floor(session.expires_at.getTime() / 1000),
        }),
    }),
    expires_at: new Date(created_at.getTime() + rulesFor(client.app, server).code_ttl * 1000),
    client_ip: origin.client_ip,
    user_agent: origin.user_agent,
    created_at: madeAt(created_at, [
      client.app.tokens_not_before,
      client.organization?.tokens_not_before,
      user.tokens_not_before,
      member?.organization.tokens_not_before,
      endOfGrant(user, client.app.id),
      ...resources.map((resource) => resource.created_at),
    ]),
  };
  const hears = client.app.backchannel_logout_uri !== null && offersFeature(server, "logout_notices");
  if (satisfied || pushed !== undefined || hears) {
    const { id, satisfied_request } = session;
    await server.store.transaction(async (tx) => {
      if (pushed !== undefined && !(await server.store.usePushedRequest(tx, pushed))) {
        throw refuse("pushed_used");
      }
      await tx.insert("oauth_auth_codes", row);
      if (hears) await server.store.noteSessionApp(tx, id, client.app.id, created_at);
      // The code uses up the fresh sign-in that its request required, so the same URL requires a new sign-in.
      if (satisfied) await tx.update("sessions", { id, satisfied_request }, { satisfied_request: null });
    });
  } else await server.store.insert("oauth_auth_codes", row);
  return answerWithCode(code, request, server);
}

/** The server, an organization or a provider may require that a session ends earlier than usual (OR-12). */
function isShortened({ expires_at, authenticated_at }: Pick<Session, "expires_at" | "authenticated_at">) {
  const usual = authenticated_at.getTime() + usualLimits.max_age * 1000;
  return expires_at.getTime() < usual - clocksDiffer;
}
