/**
 * The fields of an app beyond spec 2.6. Each has its own column and a default that leaves the protocol as
 * specified, except for the claims in the id_token.
 */

import {
  appProfiles,
  assertionAudiences,
  claimDialects,
  clientAuthenticationNames,
  clientKeyAlgorithms,
  organizationModes,
  provenances,
  signInAudiences,
  signingAlgorithms,
} from "../names/names.ts";
import { longestIdentifier } from "../names/resource_identifiers.ts";
import { acrValues } from "../names/sign_in_methods.ts";
import { bool, defaulting, object, objects, oneOf, optional, string, strings, time } from "./field.ts";
import { attributes, switched_off_by_platform, tokens_not_before } from "./table.ts";

export const appMembers = {
  tokens_not_before,
  switched_off_by_platform,
  post_logout_redirect_uris: defaulting(
    strings("URIs to which RP-initiated logout may redirect", {
      format: "post_logout_redirect_uri",
      distinct: true,
    }),
    [],
  ),
  default_scopes: optional(
    strings(
      "scopes granted to a request that names none; if null, a sign-in must name scopes, and client_credentials gets all allowed scopes except openid, offline_access and the scopes of this server",
      {
        format: "default_scope",
        distinct: true,
      },
    ),
  ),
  token_endpoint_auth_method: optional(
    oneOf(
      "how the app authenticates; null means with a secret, or not at all if the app is public",
      clientAuthenticationNames,
    ),
  ),
  jwks: optional(
    object("public keys of the app (RFC 7517, section 5)", {
      members: { keys: objects("the keys, at most 10") },
    }),
  ),
  jwks_uri: optional(
    string("URL at which the app publishes its public keys", { format: "https_url", max_length: 2048 }),
  ),
  id_token_signed_response_alg: optional(
    oneOf("signing algorithm of the app's ID tokens; null means RS256", signingAlgorithms),
  ),
  claims_in_id_token: defaulting(
    bool(
      "whether ID tokens include the claims of the scopes profile and email, which userinfo always returns",
    ),
    true,
  ),
  client_assertion_audience: defaulting(
    oneOf("accepted audiences of the app's client assertions", assertionAudiences),
    "issuer",
  ),
  require_pushed_authorization_requests: defaulting(
    bool("whether authorization requests must be pushed (RFC 9126, section 6)"),
    false,
  ),
  resources: defaulting(
    strings(
      "identifiers of APIs that the app may request tokens for, in addition to the APIs whose `who_may_ask` admits it",
      {
        format: "listed_resource",
        distinct: true,
        most: { items: 100, characters: longestIdentifier },
        names_of: "resources",
      },
    ),
    [],
  ),
  dpop_bound_access_tokens: defaulting(
    bool("whether access tokens are bound to a key (RFC 9449, section 5.2)"),
    false,
  ),
  dpop_bound_refresh_tokens: defaulting(
    bool(
      "whether the app's refresh tokens are also bound to the client's DPoP key; those of public apps always are (RFC 9449, section 5)",
    ),
    false,
  ),
  localhost_any_port: defaulting(
    bool("whether a native app's redirect to localhost may use any port, as with 127.0.0.1 and [::1]"),
    false,
  ),
  provenance: defaulting(
    oneOf("how the app was created", provenances, { immutable: true, auto_create: true }),
    "registered",
  ),
  registration: optional(
    object("metadata that a dynamically registered client sent (RFC 7591, section 2)", {
      immutable: true,
      auto_create: true,
    }),
  ),
  last_used_at: optional(
    time("when the client last received a token; only for open clients, which no administrator registered", {
      immutable: true,
      auto_create: true,
    }),
  ),
  client_ip: optional(
    string("IP address that a dynamically registered client registered from", {
      immutable: true,
      auto_create: true,
    }),
  ),
  profile: optional(oneOf("security profile of the app, in addition to those of the server", appProfiles)),
  token_endpoint_auth_signing_alg: optional(
    oneOf("signing algorithm of the app's client assertions; null means any", clientKeyAlgorithms),
  ),
  require_acr: optional(
    oneOf("minimum authentication level of the app's users; null means no minimum", acrValues),
  ),
  backchannel_logout_uri: optional(
    string("URL that receives a logout token when a session of one of the app's users ends", {
      format: "notice_url",
      max_length: 2048,
    }),
  ),
  backchannel_logout_session_required: defaulting(
    bool("whether each logout token must name the session (sid) that ended"),
    false,
  ),
  backchannel_logout_internal: defaulting(
    bool(
      "whether logout tokens may be sent over http and to the private IP addresses that POSTERN_OUTBOUND_ALLOW lists",
    ),
    false,
  ),
  document_hash: optional(
    string("hash of the fields of its metadata document that affect security", { internal: true }),
  ),
  gone_at: optional(
    time("when the client was removed because its document no longer exists", { internal: true }),
  ),
  who_may_sign_in: defaulting(oneOf("which users may sign in to the app", signInAudiences), "any"),
  sign_in_roles: defaulting(
    strings("names of the roles whose holders may sign in, if `who_may_sign_in` is `roles`", {
      plain: "line",
      distinct: true,
      most: { items: 100, characters: 64 },
    }),
    [],
  ),
  sign_in_groups: defaulting(
    strings("names of the groups whose members may sign in, if `who_may_sign_in` is `groups`", {
      plain: "line",
      distinct: true,
      most: { items: 100, characters: 255 },
    }),
    [],
  ),
  claims: optional(
    object(
      "which tokens and responses contain each claim about the membership; null means that all of them contain every claim",
      {
        format: "claim_surfaces",
      },
    ),
  ),
  organization_mode: defaulting(
    oneOf("whether tokens are for one of the user's organizations, and how it is chosen", organizationModes),
    "none",
  ),
  require_pkce: defaulting(
    bool(
      "whether authorization requests must use PKCE, as those of public apps always do (RFC 9700, section 2.1.1)",
    ),
    false,
  ),
  claims_dialect: defaulting(
    oneOf(
      "product in whose format the app also receives claims about organization, roles and groups",
      claimDialects,
    ),
    "none",
  ),
  attributes,
  email_as_username: defaulting(
    bool("whether users without a `preferred_username` get their email address as that claim"),
    false,
  ),
  session_expiry_in_id_token: defaulting(
    bool("whether ID tokens contain the end of the user's session (session_expiry, OpenID IPSIE)"),
    false,
  ),
} as const;
