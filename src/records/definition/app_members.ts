/**
 * The fields of an app beyond spec 2.6: own columns, each with a default that leaves the protocol as the
 * specification has it, but for the claims in the id_token.
 */

import {
  appProfiles,
  assertionAudiences,
  clientAuthenticationNames,
  clientKeyAlgorithms,
  provenances,
  signingAlgorithms,
} from "../names/names.ts";
import { longestIdentifier } from "../names/resource_identifiers.ts";
import { acrValues } from "../names/sign_in_methods.ts";
import { bool, defaulting, object, objects, oneOf, optional, string, strings, time } from "./field.ts";
import { switched_off_by_platform, tokens_not_before } from "./table.ts";

export const appMembers = {
  tokens_not_before,
  switched_off_by_platform,
  post_logout_redirect_uris: defaulting(
    strings("where RP-initiated logout may return to", {
      format: "post_logout_redirect_uri",
      distinct: true,
    }),
    [],
  ),
  default_scopes: optional(
    strings("what is granted without scope; null: all that is allowed to machines, nothing at sign-in", {
      format: "default_scope",
      distinct: true,
    }),
  ),
  token_endpoint_auth_method: optional(
    oneOf("how the app authenticates; null is by a secret, or by none", clientAuthenticationNames),
  ),
  jwks: optional(
    object("public keys of the app (RFC 7517 5)", {
      members: { keys: objects("the keys, 10 at most") },
    }),
  ),
  jwks_uri: optional(
    string("where the app publishes its public keys", { format: "https_url", max_length: 2048 }),
  ),
  id_token_signed_response_alg: optional(
    oneOf("what the app's id_tokens are signed by; RS256 when null", signingAlgorithms),
  ),
  claims_in_id_token: defaulting(
    bool("claims of the scopes profile and email are in the id_token too, and not at userinfo alone"),
    true,
  ),
  client_assertion_audience: defaulting(
    oneOf("whom the app's own assertions may be meant for", assertionAudiences),
    "issuer",
  ),
  require_pushed_authorization_requests: defaulting(bool("requests must be pushed (RFC 9126 6)"), false),
  resources: defaulting(
    strings("the APIs that list their apps and that this app may ask for", {
      format: "listed_resource",
      distinct: true,
      most: { items: 100, characters: longestIdentifier },
      names_of: "resources",
    }),
    [],
  ),
  dpop_bound_access_tokens: defaulting(bool("tokens are bound to a key (RFC 9449 5.2)"), false),
  dpop_bound_refresh_tokens: defaulting(
    bool("refresh tokens stay on their key, as those of public apps always do (RFC 9449 5)"),
    false,
  ),
  localhost_any_port: defaulting(
    bool("a native app's redirect to localhost may name any port, as those to 127.0.0.1 and [::1] may"),
    false,
  ),
  provenance: defaulting(
    oneOf("how the app came to be", provenances, { immutable: true, auto_create: true }),
    "registered",
  ),
  registration: optional(
    object("what a client that registered itself says of itself (RFC 7591 2)", {
      immutable: true,
      auto_create: true,
    }),
  ),
  last_used_at: optional(
    time("when an open client last got a token", { immutable: true, auto_create: true }),
  ),
  client_ip: optional(
    string("address that a client registered itself from", { immutable: true, auto_create: true }),
  ),
  profile: optional(oneOf("what the app is held to beside the profiles of the server", appProfiles)),
  token_endpoint_auth_signing_alg: optional(
    oneOf("what the app's own assertions are signed by; any algorithm when null", clientKeyAlgorithms),
  ),
  require_acr: optional(oneOf("how its users have to sign in at least; null asks for nothing", acrValues)),
  document_hash: optional(string("of the security members of its document", { internal: true })),
  gone_at: optional(time("from then on it is gone: its document is", { internal: true })),
} as const;
