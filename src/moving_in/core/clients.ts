/** Turns clients of any source into entries of the section `apps` of a manifest. */
import { redirectUriError } from "../../records/formats/redirect_uris.ts";
import { allowedGrant, isReservedScope, isScopeToken } from "../../records/names/names.ts";
import type { AppKind } from "../../records/rules/app_kinds.ts";
import { placeholderIn } from "./hidden_secret.ts";
import type { Loss, Sink } from "./moved.ts";

interface FoundClient {
  readonly client_id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly logo_url?: string | undefined;
  readonly public: boolean;
  readonly signs_in: boolean;
  /** Whether the client is a program on a device, if the source says so. */
  readonly native?: boolean;
  /** Whether the other system refuses authorization requests of this client without PKCE. */
  readonly requires_pkce: boolean;
  readonly redirect_uris: readonly string[];
  readonly post_logout_redirect_uris?: readonly string[];
  /** Grant types by their wire names (RFC 6749). */
  readonly grants: readonly string[];
  readonly scopes?: readonly string[];
  readonly secret?: string | undefined;
  readonly jwks_uri?: string | undefined;
  readonly backchannel_logout_uri?: string | undefined;
  readonly backchannel_logout_session_required?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly skips_consent?: boolean | undefined;
  readonly access_token_ttl?: number | undefined;
  readonly refresh_token_ttl?: number | undefined;
}

/** The API's minimum length, in characters, for a secret that another program generated. */
const shortestSecret = 20;

function unusable(secret: string | undefined): string | undefined {
  if (secret === undefined) return "not in the export";
  const placeholder = placeholderIn(secret);
  if (placeholder !== undefined) return `the export has ${placeholder}, not the secret`;
  return [...secret].length < shortestSecret ? `shorter than ${shortestSecret} characters` : undefined;
}

const isOfDevice = (uri: string) => !/^https?:/i.test(uri);

function kindOf(client: FoundClient): AppKind {
  if (!client.signs_in) return "machine";
  const isNative = client.native ?? (client.public && client.redirect_uris.some(isOfDevice));
  if (isNative) return "native";
  return client.public ? "browser" : "website";
}

function fitting(
  uris: readonly string[],
  member: string,
  kind: AppKind,
  lose: (member: string, reason: Loss["reason"]) => void,
): string[] {
  return [...new Set(uris)].filter((uri) => {
    const isLoose = kind === "native" || member === "post_logout_redirect_uris";
    const why = redirectUriError(uri, isLoose ? "native" : "web");
    if (why !== undefined) lose(`${member} ${uri}`, why);
    return why === undefined;
  });
}

/**
 * Passes the client on as an entry of a manifest, without an owner. The app gets no scope of this server and
 * does not skip consent until the operator allows it, because the author of the export may know the app's
 * secret (MG-11).
 */
export function addClient(client: FoundClient, sink: Sink): void {
  const object = `client ${client.client_id}`;
  const lose = (member: string, reason: Loss["reason"]) => sink.lose({ object, member, reason });
  const kind = kindOf(client);
  const grants = client.grants.flatMap((name) => {
    const grant = allowedGrant(name);
    if (grant === undefined) lose(`grant ${name}`, "this grant type is not supported");
    return grant === undefined ? [] : [grant];
  });
  const scopes = (client.scopes ?? []).filter((scope) => {
    if (!isScopeToken(scope)) lose(`scope ${scope}`, "not a scope (RFC 6749)");
    else if (isReservedScope(scope)) lose(`scope ${scope}`, "a scope of this server: grant it yourself");
    return isScopeToken(scope) && !isReservedScope(scope);
  });
  if (client.skips_consent && client.signs_in)
    lose("first_party", "not imported: users are asked for consent unless you set it yourself");
  // A machine app without scopes would get no tokens, so the server gives it the default scope `api`.
  const isScopeless = kind === "machine" && scopes.length === 0;
  if (isScopeless)
    lose(
      "scopes",
      "none in the export: the app gets the scope api, the default of apps without users; set allowed_scopes",
    );
  const isKeyed = client.jwks_uri !== undefined;
  const needsSecret = !client.public && !isKeyed;
  const why = needsSecret ? unusable(client.secret) : undefined;
  if (why !== undefined) lose("secret", `${why}: the app gets a new secret`);
  const post_logout_redirect_uris = fitting(
    client.post_logout_redirect_uris ?? [],
    "post_logout_redirect_uris",
    kind,
    lose,
  );
  sink.app({
    client_id: client.client_id,
    kind,
    public: client.public,
    name: client.name ?? client.client_id,
    ...(client.description !== undefined && { description: client.description }),
    ...(client.logo_url !== undefined && { logo_url: client.logo_url }),
    ...(client.signs_in && !client.public && { require_pkce: client.requires_pkce }),
    redirect_uris: fitting(client.redirect_uris, "redirect_uris", kind, lose),
    ...(post_logout_redirect_uris.length > 0 && { post_logout_redirect_uris }),
    allowed_grants: [...new Set(grants)],
    ...(!isScopeless && { allowed_scopes: [...new Set(scopes)] }),
    ...(client.active !== undefined && { active: client.active }),
    ...(client.access_token_ttl !== undefined && { access_token_ttl: client.access_token_ttl }),
    ...(client.refresh_token_ttl !== undefined && { refresh_token_ttl: client.refresh_token_ttl }),
    ...(isKeyed && { token_endpoint_auth_method: "private_key_jwt", jwks_uri: client.jwks_uri }),
    ...(client.backchannel_logout_uri !== undefined && {
      backchannel_logout_uri: client.backchannel_logout_uri,
      backchannel_logout_session_required: client.backchannel_logout_session_required ?? false,
    }),
    ...(needsSecret && why === undefined && { secrets: [client.secret] }),
  });
}

/**
 * Reports allowed CORS origins as losses. Origins of redirect URIs are not reported, because this server
 * allows them too.
 */
export function loseOrigins(
  origins: readonly string[],
  redirect_uris: readonly string[],
  lose: (member: string, reason: string) => void,
): void {
  const ours = new Set(redirect_uris.map((uri) => URL.parse(uri)?.origin));
  for (const origin of origins)
    if (origin !== "+" && !ours.has(URL.parse(origin)?.origin))
      lose(`origin ${origin}`, "not imported: CORS allows the origins of the redirect URIs");
}
