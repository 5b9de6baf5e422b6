/** The rules of an app follow from the server's settings, the app and the profiles. */

import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { refreshReuseWindow } from "../../records/formats/metadata.ts";
import {
  clientKeyAlgorithms,
  extraClientAuthentication,
  extraGrants,
  type Feature,
  features,
} from "../../records/names/names.ts";
import {
  among,
  type Demands,
  demandsOn,
  demandsOnAll,
  isFeatureOn,
  isMethodOn,
} from "../../records/names/profiles.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import type { Rules } from "./rules.ts";
import type { AuthorizationServer, ClientAuthenticationMethod, Grant, Offer } from "./server.ts";

interface TokenAudience {
  readonly audience: readonly string[];
  readonly resources: readonly Pick<ApiResource, "identifier" | "sign_in_claims">[];
}

/** Seconds. Several processes of a client that no administrator registered may refresh concurrently. */
const usualOpenReuseWindow = 60;

/**
 * Returns the rules of an app on this server. They are cached per object, because a changed app or server is
 * another object.
 */
export function rulesFor(app: OAuthApp, server: AuthorizationServer): Rules {
  const { rules } = offerOf(server);
  const known = rules.get(app);
  if (known !== undefined) return known;
  const made = computedRules(app, server);
  rules.set(app, made);
  return made;
}

export function offerOf(server: AuthorizationServer): Offer {
  const { offers } = server.memory;
  const known = offers.get(server);
  if (known !== undefined) return known;
  const { settings, grants, clientAuthenticationMethods } = server;
  const { extra_grants = [] } = settings;
  const isOffered = ({ grant_type }: Grant) =>
    extraGrants.every((name) => name !== grant_type) || extra_grants.includes(grant_type);
  const made: Offer = {
    grants: new Map(grants.filter(isOffered).map((grant) => [grant.grant_type, grant])),
    methods: clientAuthenticationMethods.filter(({ name }) => isMethodOn(name, settings)),
    features: new Set(features.filter((feature) => isFeatureOn(feature, settings))),
    rules: new WeakMap(),
  };
  offers.set(server, made);
  return made;
}

function computedRules(app: OAuthApp, server: AuthorizationServer): Rules {
  const { settings } = server;
  const demands = demandsOn(app, settings);
  const { token_algorithms } = demands;
  const [usual] = token_algorithms ?? (["RS256"] as const);
  const { token_endpoint_auth_signing_alg: own } = app;
  const ownAlgorithms = own === null ? clientKeyAlgorithms : [own];
  const requested = app.id_token_signed_response_alg;
  const isOpen = isOpenClient(app);
  const any_localhost_port = isOpen || (app.app_type === "native" && app.localhost_any_port);
  const localhost = any_localhost_port && (settings.localhost_any_port ?? true);
  return {
    pushed_requests:
      requiresPushes(server) || demands.pushed_requests || app.require_pushed_authorization_requests,
    pkce: demands.pkce || app.require_pkce || app.public || isOpen || localhost,
    authentication_methods: server.clientAuthenticationMethods.flatMap((method) =>
      mayUseMethod(method, app, demands) ? [method.name] : [],
    ),
    key_sets: isOpen ? "open" : app.organization_id === null ? "registered" : "organization",
    assertion_algorithms: among(ownAlgorithms, demands.client_algorithms),
    token_endpoint_as_audience:
      app.client_assertion_audience === "issuer_or_token_endpoint" && demands.client_audience === null,
    audience_as_string: demands.client_audience === "issuer_as_string",
    bound_tokens: demands.bound_tokens || app.dpop_bound_access_tokens,
    client_algorithms: demands.client_algorithms,
    issuer_as_audience: demands.issuer_as_audience,
    id_token_algorithm:
      requested !== null && (token_algorithms?.includes(requested) ?? true) ? requested : usual,
    access_token_algorithm: usual,
    token_algorithms,
    code_ttl: Math.min(settings.authorization_code_ttl, demands.longest_code_ttl ?? Number.POSITIVE_INFINITY),
    refresh: {
      // Public clients, and clients that no administrator registered, rotate refresh tokens whatever their
      // record says, because nothing else would reveal a stolen token (RFC 9700 4.14.2). Only a profile can
      // forbid rotation.
      rotates: (app.refresh_token_rotation || app.public || isOpen) && !demands.no_rotation,
      rebinds: !app.public && !app.dpop_bound_refresh_tokens,
      reuse_window: demands.no_rotation
        ? 0
        : isOpen
          ? (settings.open_reuse_window ?? usualOpenReuseWindow)
          : (refreshReuseWindow(app) ?? settings.refresh_reuse_window),
    },
    redirect_uris: {
      https_only: demands.https_redirects,
      any_port: demands.https_redirects
        ? []
        : [
            ...(app.app_type === "native" || isOpen ? (["127.0.0.1", "[::1]"] as const) : []),
            ...(localhost ? (["localhost"] as const) : []),
          ],
    },
    notes_use: isOpen,
    counts_assertions: isOpen,
    redirect_uri_at_token: !demands.redirect_uri_once,
    consent_again: app.public || app.app_type === "native" || isOpen ? "unverifiable_redirects" : "never",
    scopes: {
      unavailable: isOpen ? "left_out" : "refused",
      unasked: isOpen ? "of_resource" : app.default_scopes !== null ? "of_app" : "refused",
      steps_up: isOpen,
    },
  };
}

/**
 * An app without a registered method uses a secret if it is confidential, and `none` if it is public (RFC
 * 7591 2). A secret may be sent in the header or in the form (PR-38).
 */
function mayUseMethod(
  { name, client_type }: ClientAuthenticationMethod,
  app: OAuthApp,
  { authentication_methods }: Demands,
): boolean {
  if (app.public !== (client_type === "public")) return false;
  if (authentication_methods?.every((each) => each !== name)) return false;
  const registered = app.token_endpoint_auth_method;
  if (registered === null) return extraClientAuthentication.every((each) => each !== name);
  return registered === name || (takesSecret(registered) && takesSecret(name));
}

function takesSecret(name: string): boolean {
  return name === "client_secret_basic" || name === "client_secret_post";
}

export function mayUse(app: OAuthApp, allowed_as: string): boolean {
  return app.allowed_grants.includes(allowed_as);
}

/** Returns the client authentication methods that are switched on and that the server's profiles allow. */
export function usableMethods(server: AuthorizationServer): readonly ClientAuthenticationMethod[] {
  const { authentication_methods } = demandsOnAll(server.settings);
  return offerOf(server).methods.filter(
    ({ name }) => authentication_methods?.some((each) => each === name) ?? true,
  );
}

export function confidentialMethods(server: AuthorizationServer): readonly string[] {
  return usableMethods(server).flatMap(({ client_type, name }) =>
    client_type === "confidential" ? [name] : [],
  );
}

export function offersFeature(server: AuthorizationServer, feature: Feature): boolean {
  return offerOf(server).features.has(feature);
}

export function mayBeOpen({ settings }: Pick<AuthorizationServer, "settings">): boolean {
  return demandsOnAll(settings).open_clients;
}

/**
 * Returns whether the server accepts clients that no administrator registered: every profile must allow it,
 * and at least one API must accept any client (PR-2).
 */
export async function allowsOpenClients(
  server: Pick<AuthorizationServer, "settings" | "store">,
): Promise<boolean> {
  return mayBeOpen(server) && (await server.store.findOpenResource()) !== undefined;
}

/** Returns whether every app must push its authorization requests (RFC 9126 5). */
export function requiresPushes(server: Pick<AuthorizationServer, "settings">): boolean {
  return (server.settings.require_pushed_requests ?? false) || demandsOnAll(server.settings).pushed_requests;
}

/** Returns whether the server publishes metadata about its own APIs as protected resources (RFC 9728). */
export function describesItself({ settings }: Pick<AuthorizationServer, "settings">): boolean {
  return (
    demandsOnAll(settings).resource_metadata ||
    (settings.extra_features?.includes("resource_metadata") ?? false)
  );
}

/**
 * Returns whether an access token reports to resource servers how the user signed in (RFC 9068 2.2.1, RFC
 * 9470 6). The issuer does not count as an API, because this server knows the sign-in.
 */
export function exposesAuthentication(
  { audience, resources }: TokenAudience,
  { settings, issuer }: Pick<AuthorizationServer, "settings" | "issuer">,
): boolean {
  if (settings.extra_sign_in !== undefined && settings.extra_sign_in.length > 0) return true;
  const requesting = resources.filter(({ sign_in_claims }) => sign_in_claims);
  const isRequested = (member: string) => requesting.some(({ identifier }) => identifier === member);
  return audience.some(isRequested) && audience.every((member) => member === issuer || isRequested(member));
}
