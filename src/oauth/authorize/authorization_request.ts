/**
 * An authorization request: who asks (proven first) and what for (spec 4.1, RFC 6749 4.1.1, OpenID Connect
 * Core 3.1.2.1).
 */
import { OAuthError } from "../../errors.ts";
import { resourceFault } from "../../records/check.ts";
import { type ClientRecord, isUsable } from "../../records/client_record.ts";
import type { OAuthApp } from "../../records/definition.ts";
import { allowedResources } from "../../records/metadata.ts";
import { builtInClientId, responseTypes } from "../../records/names.ts";
import { grantTypesOf, inactiveClient, mayUse } from "../clients/client_authentication.ts";
import { evidence } from "../evidence.ts";
import { missing, type Params, refuseRepeated } from "../params.ts";
import { readChallenge } from "../pkce.ts";
import { narrowScopes, readScopes } from "../scope.ts";
import type { AuthorizationServer } from "../server.ts";
import { isRegistered, nearestFirst } from "./redirect_uri.ts";

export interface AuthorizationRequest {
  readonly client: ClientRecord;
  readonly redirect_uri: string;
  readonly requested_scopes: readonly string[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** S256; undefined where a confidential client uses no PKCE. */
  readonly code_challenge: string | undefined;
  readonly prompt: ReadonlySet<string>;
  /** Resources that the token is asked for (RFC 8707); empty means this server itself. */
  readonly resource: readonly string[];
  readonly params: Params;
}

/** A client and a redirect URI that belong together: from here on there is somewhere safe to redirect. */
export interface IdentifiedClient {
  readonly client: ClientRecord;
  readonly redirect_uri: string;
}

/**
 * The client and its redirect URI. What this throws is shown to the person and never redirected: until both
 * are proven, nowhere is safe (RFC 6749 4.1.2.1, A-5 to A-8).
 */
export async function identifyClient(params: Params, server: AuthorizationServer): Promise<IdentifiedClient> {
  const client_id = requiredOnce(params, "client_id");
  // The built-in app is nobody's to be, whatever redirect URIs somebody gave it.
  const named = !client_id.includes("\0") && client_id !== builtInClientId;
  const client = named ? await server.store.findClient(client_id) : undefined;
  if (client === undefined) {
    throw new OAuthError("invalid_request", "no client of this client_id is registered", {
      evidence: evidence("client_id", "client_id", client_id),
    });
  }
  const { app } = client;
  if (!isUsable(client)) {
    throw new OAuthError("invalid_request", "the client is not active", {
      app,
      evidence: () => inactiveClient(client),
    });
  }
  const redirect_uri = requiredOnce(params, "redirect_uri", app);
  if (!isRegistered(redirect_uri, app)) {
    throw new OAuthError("invalid_request", "redirect_uri is not one that is registered for this client", {
      app,
      evidence: () =>
        evidence("redirect_uri", "redirect_uri", redirect_uri, nearestFirst(redirect_uri, app.redirect_uris)),
    });
  }
  return { client, redirect_uri };
}

function requiredOnce(params: Params, name: string, app?: OAuthApp): string {
  const value = params.get(name);
  if (value !== undefined) return value;
  const times = params.pairs.filter(([sent]) => sent === name).length;
  if (times <= 1) throw app === undefined ? missing(name) : missing(name).about(app);
  throw new OAuthError("invalid_request", `the parameter ${name} is repeated`, {
    app,
    evidence: evidence("repeated", name, String(times), "1"),
  });
}

/** Parameters that ask for something this server does not offer, and the registered answer to each. */
const unsupported = {
  request: "request_not_supported",
  request_uri: "request_uri_not_supported",
  registration: "registration_not_supported",
} as const;

/** Every rule of spec 4.1 that is answered by redirect. Throws an `OAuthError`. */
export function readRequest(
  params: Params,
  { client, redirect_uri }: IdentifiedClient,
): AuthorizationRequest {
  refuseRepeated(params);
  for (const [name, code] of Object.entries(unsupported)) {
    if (params.get(name) !== undefined) {
      throw new OAuthError(
        code as (typeof unsupported)[keyof typeof unsupported],
        `the parameter ${name} is not supported`,
        { evidence: evidence("not_supported", name) },
      );
    }
  }
  const { app } = client;
  const response_type = params.get("response_type");
  if (response_type === undefined) throw missing("response_type");
  if (response_type !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code", {
      evidence: evidence("one_of", "response_type", response_type, responseTypes),
    });
  }
  if (!app.allowed_response_types.includes("code")) {
    throw new OAuthError("unauthorized_client", "the client may not use this response_type", {
      evidence: evidence("allowed_response_types", "response_type", "code", app.allowed_response_types),
    });
  }
  if (!mayUse(app, "auth_code")) {
    throw new OAuthError("unauthorized_client", "the client may not use the authorization code grant", {
      evidence: () => evidence("allowed_grants", "allowed_grants", "authorization_code", grantTypesOf(app)),
    });
  }
  const response_mode = params.get("response_mode") ?? "query";
  if (response_mode !== "query") {
    throw new OAuthError("invalid_request", "response_mode must be query", {
      evidence: evidence("one_of", "response_mode", response_mode, ["query"]),
    });
  }
  return {
    client,
    redirect_uri,
    requested_scopes: requestedScopes(params, client),
    state: params.get("state"),
    nonce: params.get("nonce"),
    code_challenge: readChallenge(params, app.public),
    prompt: readPrompt(params),
    resource: readResource(params, client),
    params,
  };
}

/**
 * `offline_access` is taken from every client that may refresh and left out for every other, as OpenID
 * Connect Core 11 has it; real clients ask for it unbidden.
 */
function requestedScopes(params: Params, { app }: ClientRecord): readonly string[] {
  const scopes = readScopes(params.get("scope"));
  const offline = mayUse(app, "refresh") ? scopes : scopes.filter((name) => name !== "offline_access");
  const allowed = mayUse(app, "refresh") ? [...app.allowed_scopes, "offline_access"] : app.allowed_scopes;
  if (offline.length === 0) {
    throw new OAuthError("invalid_scope", "none of the scopes is allowed for this client", {
      evidence: evidence("scope", "scope", scopes, allowed),
    });
  }
  return narrowScopes(offline, allowed);
}

export function readPrompt(params: Params): ReadonlySet<string> {
  const prompt = new Set((params.get("prompt") ?? "").split(" ").filter((value) => value !== ""));
  if (prompt.has("none") && prompt.size > 1) {
    throw new OAuthError("invalid_request", "prompt=none must stand alone", {
      evidence: evidence("one_of", "prompt", [...prompt], ["none"]),
    });
  }
  return prompt;
}

/** `max_age` in seconds; undefined when it is not sent (OpenID Connect Core 3.1.2.1). */
export function readMaxAge(params: Params): number | undefined {
  const text = params.get("max_age");
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text)) {
    throw new OAuthError("invalid_request", "max_age must be a number of seconds", {
      evidence: evidence("malformed", "max_age", text, "0 – 9999999999"),
    });
  }
  return Number(text);
}

/** The requested resources, each of which the app's `metadata.resources` allows (RFC 8707 2). */
export function readResource(params: Params, { app }: ClientRecord): readonly string[] {
  const resource = [...new Set(params.all("resource"))];
  const allowed = allowedResources(app);
  for (const uri of resource) {
    if (resourceFault(uri) !== undefined) {
      throw new OAuthError("invalid_target", "resource must be an absolute URI without a fragment", {
        evidence: evidence("resource", "resource", resource, allowed),
      });
    }
    if (!allowed.includes(uri)) {
      throw new OAuthError("invalid_target", "the client may not ask for tokens for this resource", {
        evidence: evidence("resource", "resource", resource, allowed),
      });
    }
  }
  return resource;
}
