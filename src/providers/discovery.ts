import { textOf } from "./presets/claims.ts";
import type { ProviderMetadata } from "./presets/preset.ts";
import { type JsonAnswer, type ProviderRequests, requestObject } from "./request_provider.ts";
import { UpstreamError } from "./upstream_error.ts";

/** Returns the URL of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4). */
export function documentAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/**
 * Returns the metadata in a discovery document; the caller must compare its issuer with the expected one.
 * Throws `UpstreamError`.
 */
export async function fetchDiscovery(url: string, requests: ProviderRequests): Promise<ProviderMetadata> {
  const document = await requestObject(requests, { method: "GET", url });
  const optional = {
    userinfo_endpoint: addressIn(document, "userinfo_endpoint"),
    revocation_endpoint: addressIn(document, "revocation_endpoint"),
    pkce_methods: listIn(document, "code_challenge_methods_supported"),
    id_token_algorithms: listIn(document, "id_token_signing_alg_values_supported"),
    authentication_methods: listIn(document, "token_endpoint_auth_methods_supported"),
  };
  const metadata: ProviderMetadata = {
    issuer: textOf(document.issuer),
    authorization_endpoint: requiredIn(document, "authorization_endpoint"),
    token_endpoint: requiredIn(document, "token_endpoint"),
    jwks_uri: requiredIn(document, "jwks_uri"),
    iss_parameter: document.authorization_response_iss_parameter_supported === true,
  };
  const input = Object.entries(optional).filter(([, value]) => value !== undefined);
  return Object.assign(metadata, Object.fromEntries(input));
}

/** Throws `UpstreamError` unless a browser may be redirected to the authorization endpoint. */
export function requireAddresses({ authorization_endpoint, token_endpoint }: ProviderMetadata): void {
  const page = URL.parse(authorization_endpoint);
  // The outbound transport allows `http` only to hosts that the operator allowed.
  const schemes = token_endpoint.startsWith("http:") ? ["https:", "http:"] : ["https:"];
  const isPage = page && schemes.includes(page.protocol) && page.username === "" && page.hash === "";
  if (!isPage) {
    throw new UpstreamError("metadata_member", {
      expected: "authorization_endpoint with https",
      received: authorization_endpoint,
    });
  }
}

function addressIn(document: JsonAnswer, name: string): string | undefined {
  const value = document[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && URL.canParse(value)) return value;
  throw new UpstreamError("metadata_member", { expected: `${name} as an address`, received: value });
}

function requiredIn(document: JsonAnswer, name: string): string {
  const value = addressIn(document, name);
  if (value === undefined) throw new UpstreamError("metadata_member", { expected: `${name} as an address` });
  return value;
}

function listIn(document: JsonAnswer, name: string): readonly string[] | undefined {
  const value = document[name];
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;
}
