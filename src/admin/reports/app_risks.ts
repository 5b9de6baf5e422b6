/**
 * Finds settings of an app that are risky according to OAuth security best practice (RFC 9700), or that
 * prevent its use.
 */

import type { OAuthApp, OAuthAppSecret } from "../../records/definition/definition.ts";
import { managementScopes } from "../../records/definition/permissions.ts";
import { refreshReuseWindow, resourceError } from "../../records/formats/metadata.ts";
import { isLoopbackHost } from "../../records/formats/redirect_uris.ts";
import { isStrings } from "../../records/names/json_shapes.ts";
import { stateOfApp, stateOfCredential } from "../../records/names/liveness.ts";
import { clientProofs, introspectionScope } from "../../records/names/names.ts";
import { demandsOn, type Switches } from "../../records/names/profiles.ts";
import { type Risk, type RiskKind, riskKinds, riskLevels } from "../../records/names/risk_kinds.ts";
import {
  type Acr,
  mfaAcr,
  passwordAcr,
  phishingResistantAcr,
  reachesAcr,
} from "../../records/names/sign_in_methods.ts";
import { usualReuseWindow } from "../../records/rules/app_kinds.ts";
import { hasSecret, isOpenClient } from "../../records/rules/client_record.ts";
import { hasKeyFor, keysIn, profileMisfits, signingAlgorithmsOf } from "../records/profile_misfits.ts";
import { idleScopes } from "./idle_scopes.ts";

export type SecretState = Pick<
  OAuthAppSecret,
  "secret_prefix" | "created_at" | "expires_at" | "last_used_at" | "revoked"
>;

export interface RiskSurroundings {
  readonly now: Date;
  /** The server's base URL. The redirect URIs of an app that is `first_party` should be on the same site. */
  readonly issuer: string;
  readonly owner_active: boolean;
  /** Also true if the app has no organization. */
  readonly organization_active: boolean;
  readonly switches: Switches;
  /** The scopes of APIs for which the app might be allowed to request tokens (`resourcesNear`). */
  readonly api_scopes: readonly string[];
  /**
   * Scopes that the app requested in recent days and that the server ignored because no app or API defines
   * them.
   */
  readonly passed_over: readonly string[];
}

const day = 86_400;
/** In seconds, like the other limits for ages and lifetimes. */
const longestAccessToken = 3600;
const longestRefreshToken = 90 * day;
const oldestSecret = 365 * day;
/**
 * In seconds. A secret that never expires is reported from this age; after `oldestSecret`, it is reported as
 * old instead.
 */
const settledSecret = 180 * day;
const idleSecret = 90 * day;
const soon = 14 * day;
/** While a client changes to a new secret, it has two. More are a risk. */
const mostSecrets = 2;

/** Hosting services under which anyone can take over a host name that its owner gave up. */
const sharedHosts = [
  "amazonaws.com",
  "azurestaticapps.net",
  "azurewebsites.net",
  "blogspot.com",
  "cloudfront.net",
  "codesandbox.io",
  "firebaseapp.com",
  "fly.dev",
  "github.io",
  "gitlab.io",
  "glitch.me",
  "herokuapp.com",
  "netlify.app",
  "ngrok-free.app",
  "ngrok.app",
  "ngrok.io",
  "onrender.com",
  "pages.dev",
  "repl.co",
  "replit.app",
  "surge.sh",
  "trycloudflare.com",
  "vercel.app",
  "web.app",
  "workers.dev",
];

/**
 * Returns the app's risks, most severe first. `secrets` includes inactive ones; if undefined because the
 * actor may not see them, no risk is about secrets.
 */
export function risksOf(
  app: OAuthApp,
  secrets: readonly SecretState[] | undefined,
  surroundings: RiskSurroundings,
): Risk[] {
  const found: Found[] = [
    ...stateRisks(app, surroundings),
    ...redirectRisks(app),
    ...clientRisks(app, surroundings),
    ...profileRisks(app, surroundings),
    ...keyRisks(app),
    ...lifetimeRisks(app, surroundings),
    ...powerRisks(app, surroundings),
    ...scopeRisks(app, surroundings),
    ...resourceRisks(app),
    ...(secrets === undefined ? [] : secretRisks(app, secrets, surroundings.now)),
  ];
  return found
    .map(([kind, about = []]) => ({ kind, ...riskKinds[kind], about }))
    .sort((one, other) => riskLevels.indexOf(one.level) - riskLevels.indexOf(other.level));
}

type Found = readonly [kind: RiskKind, about?: readonly string[]];

function about(kind: RiskKind, things: readonly string[]): Found[] {
  return things.length === 0 ? [] : [[kind, [...new Set(things)]]];
}

function when(condition: boolean, kind: RiskKind, things: readonly string[] = []): Found[] {
  return condition ? [[kind, things]] : [];
}

function stateRisks(app: OAuthApp, { owner_active, organization_active }: RiskSurroundings): Found[] {
  return [
    ...when(stateOfApp(app) === "revoked", "app_revoked"),
    ...when(stateOfApp(app) === "inactive", "app_inactive"),
    ...when(!owner_active, "owner_inactive"),
    ...when(!organization_active, "organization_inactive"),
  ];
}

const isWeb = ({ protocol }: URL) => protocol === "https:" || protocol === "http:";

const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, "");

const isPlainHttp = (url: URL) => url.protocol === "http:" && !isLoopbackHost(url.hostname);

const isUnder = (host: string, parent: string) => host === parent || host.endsWith(`.${parent}`);

function redirectRisks(app: OAuthApp): Found[] {
  const { redirect_uris, app_type } = app;
  const usesCode = app.allowed_grants.includes("auth_code");
  const parsed = redirect_uris.flatMap((uri) => {
    const url = URL.parse(uri);
    return url === null ? [] : [{ uri, url }];
  });
  const such = (is: (url: URL, uri: string) => boolean) =>
    parsed.filter(({ uri, url }) => is(url, uri)).map(({ uri }) => uri);
  const remote = such((url) => isWeb(url) && !isLoopbackHost(url.hostname));
  // An open client chooses its own redirect URIs, and no administrator can change them. The consent page
  // warns of those with a loopback host or a private-use scheme (PR-11).
  const cameAlong = isOpenClient(app);
  const servesPeople = app_type === "web" || app_type === "spa";
  return [
    ...about("http_redirect", such(isPlainHttp)),
    ...about(
      "wildcard_redirect",
      redirect_uris.filter((uri) => /[*]|%2A/i.test(uri)),
    ),
    ...about(
      "scheme_without_dot",
      cameAlong ? [] : such((url) => !isWeb(url) && !url.protocol.includes(".")),
    ),
    ...about(
      "private_scheme",
      such((url) => !isWeb(url) && url.protocol.includes(".")),
    ),
    ...about(
      app.localhost_any_port ? "localhost_any_port" : "localhost_redirect",
      app_type === "native" && !cameAlong ? such((url) => isWeb(url) && url.hostname === "localhost") : [],
    ),
    ...about(
      "development_redirect",
      servesPeople && remote.length > 0 ? such((url) => isWeb(url) && isLoopbackHost(url.hostname)) : [],
    ),
    ...about(
      "redirect_with_query",
      redirect_uris.filter((uri) => uri.includes("?")),
    ),
    ...about(
      "shared_host_redirect",
      such((url) => isWeb(url) && sharedHosts.some((shared) => isUnder(url.hostname, shared))),
    ),
    ...when(usesCode && redirect_uris.length === 0, "no_redirect_uris"),
    ...about("unused_redirect_uris", usesCode ? [] : redirect_uris),
    ...about(
      "http_post_logout",
      app.post_logout_redirect_uris.filter((uri) => {
        const url = URL.parse(uri);
        return url !== null && isPlainHttp(url);
      }),
    ),
  ];
}

function clientRisks(app: OAuthApp, { switches }: RiskSurroundings): Found[] {
  const { no_rotation, pkce } = demandsOn(app, switches);
  const { app_type, allowed_grants } = app;
  const has = (grant: string) => allowed_grants.includes(grant);
  const refreshes = has("auth_code") && has("refresh");
  const isMachine = app_type === "machine" || app_type === "service";
  return [
    ...when(app_type === "spa" && !app.public, "confidential_in_browser"),
    ...when(app_type === "native" && !app.public, "confidential_native"),
    ...when(app_type === "web" && app.public, "public_web"),
    ...when(app.public && (isMachine || has("client_credentials")), "public_machine"),
    ...when(
      has("auth_code") && !(pkce || app.require_pkce || app.public || isOpenClient(app)),
      "pkce_not_required",
    ),
    ...when(has("auth_code") && has("client_credentials"), "mixed_grants"),
    ...when(allowed_grants.length === 0, "no_grants"),
    ...when(has("refresh") && !has("auth_code"), "refresh_alone"),
    ...when(refreshes && app.public && !app.refresh_token_rotation, "public_without_rotation"),
    ...when(refreshes && !app.public && !app.refresh_token_rotation && !no_rotation, "rotation_off"),
  ];
}

function lifetimeRisks(app: OAuthApp, { switches }: RiskSurroundings): Found[] {
  const { no_rotation } = demandsOn(app, switches);
  const { access_token_ttl, refresh_token_ttl } = app;
  const window = refreshReuseWindow(app) ?? switches.refresh_reuse_window ?? 0;
  const refreshes = app.allowed_grants.includes("refresh");
  const rotates = refreshes && (app.refresh_token_rotation || app.public) && !no_rotation;
  return [
    ...when(rotates && window === 0 && !isOpenClient(app), "strict_rotation", [String(usualReuseWindow)]),
    ...when(refreshes && window > usualReuseWindow && !no_rotation, "reuse_window", [String(window)]),
    ...when(access_token_ttl > longestAccessToken, "long_access_token", [String(access_token_ttl)]),
    ...when(refreshes && refresh_token_ttl > longestRefreshToken, "long_refresh_token", [
      String(refresh_token_ttl),
    ]),
  ];
}

/**
 * Approximates the registrable domain by the last two labels, because the public suffix list is not
 * available.
 */
function siteOf(url: URL): string {
  const host = hostOf(url);
  return /^[\d.]+$|:/.test(host) ? host : host.split(".").slice(-2).join(".");
}

function profileRisks(app: OAuthApp, { switches }: RiskSurroundings): Found[] {
  const demands = demandsOn(app, switches);
  const { client_algorithms } = demands;
  const misfits = profileMisfits(app, switches).map(({ path }) => path.slice(1));
  const unusable = keysIn(app.jwks).filter(
    (key) => !hasKeyFor([key], signingAlgorithmsOf(app, client_algorithms)),
  );
  const forEndpoint = app.client_assertion_audience !== "issuer";
  const overruled = [
    ...(demands.client_audience !== null && forEndpoint ? ["client_assertion_audience"] : []),
    ...(demands.no_rotation && refreshReuseWindow(app) ? ["metadata.refresh_reuse_window"] : []),
  ];
  return [
    ...about("profile_misfit", misfits),
    ...about("profile_overrules", overruled),
    ...when(forEndpoint && demands.client_audience === null, "endpoint_as_audience"),
    ...when(
      unusable.length > 0,
      "unusable_keys",
      unusable.map(({ kid, algorithms }) => kid ?? algorithms.join(", ")),
    ),
  ];
}

/** The owner of the site that serves an app's key set can act as the app. */
function keyRisks({ jwks, jwks_uri, redirect_uris, token_endpoint_auth_method }: OAuthApp): Found[] {
  const published = jwks_uri === null ? null : URL.parse(jwks_uri);
  const sites = redirect_uris.flatMap((uri) => {
    const url = URL.parse(uri);
    return url !== null && isWeb(url) && !isLoopbackHost(url.hostname) ? [siteOf(url)] : [];
  });
  const isElsewhere = published !== null && sites.length > 0 && !sites.includes(siteOf(published));
  const signs = token_endpoint_auth_method !== null && clientProofs[token_endpoint_auth_method] === "key";
  return [
    ...when(published !== null && published.protocol !== "https:", "http_keys", [String(jwks_uri)]),
    ...when(signs && jwks === null && jwks_uri === null, "keys_missing"),
    ...when(isElsewhere, "keys_elsewhere", [String(jwks_uri)]),
  ];
}

function unreachableAcr({ require_acr }: OAuthApp, { extra_sign_in = [] }: Switches): readonly Acr[] {
  if (require_acr === null) return [];
  const reachable = extra_sign_in.includes("passkey")
    ? phishingResistantAcr
    : extra_sign_in.includes("totp")
      ? mfaAcr
      : passwordAcr;
  return reachesAcr(reachable, require_acr) ? [] : [require_acr];
}

function powerRisks(app: OAuthApp, { issuer, switches }: RiskSurroundings): Found[] {
  const { allowed_scopes, redirect_uris, first_party } = app;
  const home = siteOf(new URL(issuer));
  const elsewhere = redirect_uris.filter((uri) => {
    const url = URL.parse(uri);
    return url !== null && isWeb(url) && !isLoopbackHost(url.hostname) && siteOf(url) !== home;
  });
  const unassured = redirect_uris.filter((uri) => {
    const url = URL.parse(uri);
    return url !== null && url.protocol !== "https:";
  });
  const managing = allowed_scopes.filter((scope) => managementScopes.includes(scope));
  return [
    ...about("first_party_elsewhere", first_party ? elsewhere : []),
    ...about("first_party_unassured", first_party && app.public ? unassured : []),
    ...about("sign_in_unreachable", unreachableAcr(app, switches)),
    ...when(allowed_scopes.length === 0, "no_scopes"),
    ...about(app.public ? "public_management" : "management_scopes", managing),
    ...when(allowed_scopes.includes(introspectionScope), "introspection_scope"),
  ];
}

function scopeRisks(app: OAuthApp, { api_scopes, passed_over }: RiskSurroundings): Found[] {
  const isDefined = (name: string) => app.allowed_scopes.includes(name) || api_scopes.includes(name);
  return [
    ...about(
      "unknown_scopes",
      passed_over.filter((name) => !isDefined(name)),
    ),
    // A client that registered itself chose its scopes, so unused ones are not a risk to report.
    ...about("idle_scopes", isOpenClient(app) ? [] : idleScopes(app, api_scopes)),
  ];
}

function resourceRisks(app: OAuthApp): Found[] {
  const unreadable = ["resource", "resources"].filter((name) => {
    const value: unknown = app.metadata?.[name];
    return value !== undefined && value !== null && typeof value !== "string" && !isStrings(value);
  });
  const said = ["resource", "resources"].flatMap((name): readonly string[] => {
    const value: unknown = app.metadata?.[name];
    return typeof value === "string" ? [value] : isStrings(value) ? value : [];
  });
  const resources = [...new Set([...said, ...app.resources])];
  return [
    ...about(
      "resource_unreadable",
      unreadable.map((name) => `metadata.${name}`),
    ),
    ...about(
      "resource_not_absolute",
      resources.filter((uri) => resourceError(uri) !== undefined),
    ),
    ...about(
      "http_resource",
      resources.filter((uri) => {
        const url = URL.parse(uri);
        return url !== null && isPlainHttp(url);
      }),
    ),
  ];
}

const between = (from: Date, to: Date) => (to.getTime() - from.getTime()) / 1000;

function secretRisks(app: OAuthApp, secrets: readonly SecretState[], now: Date): Found[] {
  if (!hasSecret(app)) return [];
  const live = secrets.filter((secret) => stateOfCredential(secret, now) === "active");
  // Leaves out secrets that were created for a short time, such as those of the playground. They are meant to
  // expire.
  const lasting = live.filter(
    ({ created_at, expires_at }) => expires_at === null || between(created_at, expires_at) > soon,
  );
  const such = (is: (secret: SecretState) => boolean) =>
    lasting.filter(is).map(({ secret_prefix }) => `${secret_prefix}…`);
  return [
    ...when(live.length === 0, "no_live_secret"),
    ...when(lasting.length > mostSecrets, "many_secrets", [String(lasting.length)]),
    ...about(
      "old_secret",
      such(({ created_at }) => between(created_at, now) > oldestSecret),
    ),
    ...about(
      "endless_secret",
      such(({ created_at, expires_at }) => {
        const age = between(created_at, now);
        return expires_at === null && age > settledSecret && age <= oldestSecret;
      }),
    ),
    ...about(
      "unused_secret",
      such(({ created_at, last_used_at }) => between(last_used_at ?? created_at, now) > idleSecret),
    ),
    ...about(
      "expiring_secret",
      such(({ expires_at }) => expires_at !== null && between(now, expires_at) <= soon),
    ),
  ];
}
