/** Client authentication (RFC 6749 2.3, spec 5): the rules that all methods share. */
import type { HashingQueue } from "../../crypto/hash_pool.ts";
import { OAuthError } from "../../errors.ts";
import { sourceOf } from "../../records/definition/request_origin.ts";
import { evidence } from "../../records/names/evidence.ts";
import { type ClientRecord, isUsable } from "../../records/rules/client_record.ts";
import { findNamedClient } from "../client_sources/all_client_sources.ts";
import type { LookUp } from "../client_sources/client_source.ts";
import { refuseRepeated } from "../core/params.ts";
import { confidentialMethods, offerOf, rulesFor, usableMethods } from "../core/rules_for.ts";
import type {
  AuthenticatedClient,
  AuthenticationAttempt,
  AuthorizationServer,
  ClientAuthenticationMethod,
  EndpointRequest,
  PresentedClient,
} from "../core/server.ts";
import type { Pieces } from "../refusals/catalogued.ts";
import type { WhyUnproven } from "../refusals/client_refusals.ts";
import { inactiveClient } from "../refusals/credential_evidence.ts";
import { refuse } from "../refusals/refuse.ts";

interface Authenticating {
  readonly queue?: HashingQueue;
  readonly lookUp?: LookUp;
}

/**
 * Returns the client that sent the request. Throws `invalid_request` for contradictory credentials, and
 * `invalid_client` if the client fails to authenticate. Throws `temporarily_unavailable` (429) after too many
 * wrong secrets or too many assertions. A public client is identified by its `client_id` alone and never by a
 * secret.
 */
export async function authenticateClient(
  request: EndpointRequest,
  server: AuthorizationServer,
  { queue = "client_authentication", lookUp = { for: "token" } }: Authenticating = {},
): Promise<AuthenticatedClient> {
  refuseRepeated(request.params);
  const { method, readings } = readCredentials(request, server, queue);
  const attempt: AuthenticationAttempt = { source: sourceOf(request.origin.client_ip), queue };
  let named: ClientRecord | undefined;
  for (const presented of readings) {
    const client = await findNamedClient(presented.client_id, lookUp, server);
    named = client ?? named;
    // The credentials of an unknown or inactive client are verified too, so this takes as long as a wrong
    // secret (C-4).
    const usable =
      client !== undefined && isUsable(client) && mayAuthenticateBy(method, client, server)
        ? client
        : undefined;
    const proof = await method.verify(presented, usable, attempt, server).catch((error: unknown) => {
      if (!(error instanceof OAuthError) || error.code !== "invalid_client") throw error;
      reportFailure(client, request, server, queue);
      throw error.about(client?.app);
    });
    if (usable !== undefined && proof !== undefined) return { ...usable, method: method.name, proof };
  }
  reportFailure(named, request, server, queue);
  const [first] = readings;
  const why = () => whyFailed(method, first, named, request, server);
  throw refuse("client_unproven", { why }).about(named?.app);
}

/**
 * Returns the client that sent the request to an endpoint that public clients may not use (spec 4.3). Throws
 * as `authenticateClient` does, and `invalid_client` for a public client.
 */
export async function authenticateConfidentialClient(
  request: EndpointRequest,
  server: AuthorizationServer,
): Promise<AuthenticatedClient> {
  const client = await authenticateClient(request, server);
  if (client.app.public) {
    reportFailure(client, request, server, "client_authentication");
    const methods = confidentialMethods(server);
    throw refuse("client_public", { method: client.method, methods }).about(client.app);
  }
  return client;
}

export function namesClient(
  { authorization, params }: EndpointRequest,
  server: AuthorizationServer,
): boolean {
  const names = offerOf(server).methods.map(({ credential }) => credential.name);
  // A request with a `client_assertion` names a client too, even if this server cannot verify the assertion
  // (RFC 7521 4.2).
  return (
    authorization !== undefined ||
    params.pairs.some(
      ([name, value]) => value !== "" && (names.includes(name) || name === "client_assertion"),
    )
  );
}

interface Credentials {
  readonly method: ClientAuthenticationMethod;
  readonly readings: readonly PresentedClient[];
}

/** Credentials that cannot be read are reported as a failed client authentication too (H-8). */
function readCredentials(
  request: EndpointRequest,
  server: AuthorizationServer,
  queue: HashingQueue,
): Credentials {
  try {
    const methods = offerOf(server).methods;
    const used = methods.filter((method) => isUsed(method, request));
    refuseTwoMethods(used);
    // A `client_id` alone proves nothing and may accompany any credential, so the public method is tried
    // last.
    for (const method of [...used, ...methods.filter(isPublic)]) {
      const readings = method.present(request);
      if (readings.length > 0) return { method, readings };
    }
    throw refuse("client_not_authenticated", { methods: usableMethods(server).map(({ name }) => name) });
  } catch (error) {
    if (error instanceof OAuthError) reportFailure(undefined, request, server, queue);
    throw error;
  }
}

function isPublic({ client_type }: ClientAuthenticationMethod): boolean {
  return client_type === "public";
}

function isUsed(method: ClientAuthenticationMethod, { authorization, params }: EndpointRequest): boolean {
  const { credential } = method;
  const sent = credential.in === "header" ? authorization : params.get(credential.name);
  return !isPublic(method) && sent !== undefined;
}

function refuseTwoMethods(used: readonly ClientAuthenticationMethod[]): void {
  if (used.length < 2) return;
  throw refuse("two_methods", {
    credentials: used.map(({ credential }) => credential),
    methods: used.map(({ name }) => name),
  });
}

function mayAuthenticateBy(
  { name }: ClientAuthenticationMethod,
  { app }: ClientRecord,
  server: AuthorizationServer,
): boolean {
  return rulesFor(app, server).authentication_methods.includes(name);
}

function whyFailed(
  method: ClientAuthenticationMethod,
  presented: PresentedClient | undefined,
  client: ClientRecord | undefined,
  { authorization }: EndpointRequest,
  server: AuthorizationServer,
): Pieces<WhyUnproven> {
  if (client === undefined) {
    // The `client_id` of a header is not stored as evidence, because a client may have sent its secret there
    // by mistake.
    return evidence("client_id", "client_id", authorization === undefined ? presented?.client_id : null);
  }
  if (!isUsable(client)) return inactiveClient(client);
  if (!mayAuthenticateBy(method, client, server)) {
    const methods = offerOf(server).methods.filter((each) => mayAuthenticateBy(each, client, server));
    const names = methods.map(({ name }) => name);
    return evidence("client_authentication", "client authentication", method.name, names);
  }
  return presented === undefined ? [] : (method.whyFailed?.(presented, client, server.now()) ?? []);
}

/**
 * The event names only an existing client, because callers can invent any number of other names. A failed
 * revocation is an event itself, so its failed authentication is not reported here.
 */
function reportFailure(
  client: ClientRecord | undefined,
  { origin }: EndpointRequest,
  { report }: AuthorizationServer,
  queue: HashingQueue,
): void {
  if (queue === "revocation") return;
  report({
    type: "client_authentication",
    outcome: "failure",
    actor: client === undefined ? { kind: "anonymous" } : { kind: "client", id: client.app.client_id },
    origin,
  });
}
