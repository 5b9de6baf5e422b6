/** Dynamic client registration (RFC 7591 3). */

import { credentialPrefix, newCredential, prefixOf } from "../../crypto/credentials.ts";
import { siteOf, sourceOf } from "../../records/definition/request_origin.ts";
import type { Share } from "../../records/names/leaky_buckets.ts";
import { grantNames, openidScopes } from "../../records/names/names.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import type { ClientMembers } from "../client_metadata/members.ts";
import { ownerOfOpenClients } from "../client_sources/impersonal_user.ts";
import { isAdmitted } from "../core/memory.ts";
import { mayBeOpen, usableMethods } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { type RegistrationRequest, requireInitialAccess } from "./initial_access.ts";
import { type RegisteredMembers, readRegistration } from "./read_registration.ts";
import { mostRegistered, registrationPause, registrationRates } from "./registration_limits.ts";

type RegistrationAnswer = Readonly<Record<string, unknown>> & { readonly client_id: string };

export function takesRegistrations(server: Pick<AuthorizationServer, "settings">): boolean {
  return (server.settings.registration ?? "off") !== "off" && mayBeOpen(server);
}

/**
 * Returns whether clients may register themselves now. Unless an initial access token is required, this needs
 * an API that any client may request (PR-2).
 */
export async function offersRegistration(server: AuthorizationServer): Promise<boolean> {
  if (!takesRegistrations(server)) return false;
  return server.settings.registration === "token" || (await server.store.findOpenResource()) !== undefined;
}

/**
 * Registers the client that this metadata describes. Throws what `requireInitialAccess` and
 * `readRegistration` throw, and `temporarily_unavailable` (429) beyond the limits. Nothing is written on an
 * error.
 */
export async function registerClient(
  request: RegistrationRequest,
  read: () => ClientMembers,
  server: AuthorizationServer,
): Promise<RegistrationAnswer> {
  if (server.settings.registration === "token" || request.authorization !== undefined) {
    await requireInitialAccess(request, server);
  } else throttle(request, server);
  const registered = readRegistration(read(), {
    methods: usableMethods(server).map(({ name }) => name),
    scopes: await openScopes(server),
  });
  return insertClient(registered, request, server);
}

async function openScopes({ store }: AuthorizationServer): Promise<readonly string[]> {
  const open = await store.list("resources", { who_may_ask: "any", active: true });
  return [...new Set([...openidScopes, ...open.flatMap(({ scopes }) => Object.keys(scopes))])];
}

async function insertClient(
  registered: RegisteredMembers,
  { origin }: RegistrationRequest,
  server: AuthorizationServer,
): Promise<RegistrationAnswer> {
  const { store } = server;
  if ((await store.countRegistrations(mostRegistered)) >= mostRegistered) {
    throw refuse("registration_throttled", { retry_after: registrationPause });
  }
  const at = server.now();
  const id = store.newId(at);
  const client_id = store.newId(at);
  const secret = await secretOf(registered, sourceOf(origin.client_ip), server);
  await store.transaction(async (tx) => {
    await tx.insert("oauth_apps", {
      ...registered,
      id,
      client_id,
      owner_id: await ownerOfOpenClients(tx, store, at),
      provenance: "dynamic_registration",
      client_ip: origin.client_ip,
      created_at: at,
      updated_at: at,
    });
    if (secret === undefined) return;
    const { secret_hash, secret_prefix } = secret;
    await tx.insert("oauth_app_secrets", {
      id: store.newId(at),
      app_id: id,
      secret_hash,
      secret_prefix,
      created_at: at,
    });
  });
  server.report({
    type: "client_registered",
    outcome: "success",
    actor: { kind: "anonymous" },
    target: { table: "oauth_apps", id },
    organization_id: null,
    origin,
  });
  return {
    client_id,
    client_id_issued_at: Math.floor(at.getTime() / 1000),
    // 0 means that the secret has no expiry date. If the client is never used, its registration expires, and
    // the secret expires with it.
    ...(secret && { client_secret: secret.value, client_secret_expires_at: 0 }),
    ...describe(registered),
  };
}

async function secretOf(members: RegisteredMembers, source: string, { passwords, now }: AuthorizationServer) {
  if (!hasSecret(members)) return undefined;
  const value = newCredential(credentialPrefix.client_secret, now());
  const secret_hash = await passwords.hash(value, "management", source);
  return { value, secret_hash, secret_prefix: prefixOf(value) };
}

function describe(app: RegisteredMembers): Readonly<Record<string, unknown>> {
  return {
    client_name: app.name,
    redirect_uris: app.redirect_uris,
    grant_types: app.allowed_grants.map((word) => grantNames[word as keyof typeof grantNames]),
    response_types: app.allowed_response_types,
    token_endpoint_auth_method: app.token_endpoint_auth_method,
    ...(app.token_endpoint_auth_signing_alg !== null && {
      token_endpoint_auth_signing_alg: app.token_endpoint_auth_signing_alg,
    }),
    application_type: app.app_type,
    scope: app.allowed_scopes.join(" "),
    ...(app.jwks !== null && { jwks: app.jwks }),
    ...(app.jwks_uri !== null && { jwks_uri: app.jwks_uri }),
    ...(app.dpop_bound_access_tokens && { dpop_bound_access_tokens: true }),
    ...app.registration,
  };
}

function throttle({ origin: { client_ip } }: RegistrationRequest, server: AuthorizationServer): void {
  const site = siteOf(client_ip);
  const ofPlace: Share[] = [
    [`source ${sourceOf(client_ip)}`, registrationRates.source],
    ...(site === undefined ? [] : [[`site ${site}`, registrationRates.site] as const]),
  ];
  const isShared = client_ip !== null && server.isSharedAddress?.(client_ip) === true;
  const shares: Share[] = [...(isShared ? [] : ofPlace), ["all", registrationRates.all]];
  if (!isAdmitted("registrations", shares, server))
    throw refuse("registration_throttled", { retry_after: registrationPause });
}
