/**
 * The fields of an app beyond spec 2.6. With their defaults, the protocol is as specified, except for the
 * claims in ID tokens.
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
    strings("URIs to which the server may redirect after a logout", {
      format: "post_logout_redirect_uri",
      distinct: true,
    }),
    [],
  ),
  default_scopes: optional(
    strings(
      "scopes that a request gets if it names none. If null and `provenance` is `registered`, sign-ins must name scopes. With client_credentials, null means `allowed_scopes` except openid, offline_access and the scopes of this server",
      {
        format: "default_scope",
        distinct: true,
      },
    ),
  ),
  token_endpoint_auth_method: optional(
    oneOf(
      "how the app authenticates; null means with a secret or, if `public` is true, not at all",
      clientAuthenticationNames,
    ),
  ),
  jwks: optional(
    object("public keys of the app (RFC 7517, section 5)", {
      members: { keys: objects("keys, at most 10") },
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
      "whether ID tokens contain the claims of the scopes profile and email. The userinfo endpoint always returns them",
    ),
    true,
  ),
  client_assertion_audience: defaulting(
    oneOf("audiences that the app's client assertions may have", assertionAudiences),
    "issuer",
  ),
  require_pushed_authorization_requests: defaulting(
    bool("whether the app must push its authorization requests (RFC 9126, section 6)"),
    false,
  ),
  resources: defaulting(
    strings(
      "identifiers of APIs for which the app may request tokens, in addition to those whose `who_may_ask` allows it",
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
    bool("whether the app's access tokens must be bound to its DPoP key (RFC 9449, section 5.2)"),
    false,
  ),
  dpop_bound_refresh_tokens: defaulting(
    bool("whether the app's refresh tokens are also bound to its DPoP key. Those of public apps always are"),
    false,
  ),
  localhost_any_port: defaulting(
    bool("whether a native app's redirect URIs with localhost match any port, as those with 127.0.0.1 do"),
    false,
  ),
  provenance: defaulting(
    oneOf("how the app was created", provenances, { immutable: true, auto_create: true }),
    "registered",
  ),
  registration: optional(
    object("metadata of the dynamic registration (RFC 7591, section 2); null for other apps", {
      immutable: true,
      auto_create: true,
    }),
  ),
  last_used_at: optional(
    time("when the app last received a token; null if never, or if `provenance` is `registered`", {
      immutable: true,
      auto_create: true,
    }),
  ),
  client_ip: optional(
    string("IP address of the dynamic registration; null for other apps", {
      immutable: true,
      auto_create: true,
    }),
  ),
  profile: optional(oneOf("security profile of the app, in addition to those of the server", appProfiles)),
  token_endpoint_auth_signing_alg: optional(
    oneOf(
      "signing algorithm of the app's client assertions; null means any supported one",
      clientKeyAlgorithms,
    ),
  ),
  require_acr: optional(
    oneOf("lowest `acr` with which users may sign in to the app; null means any", acrValues),
  ),
  backchannel_logout_uri: optional(
    string("URL that receives a logout token when a user's session ends", {
      format: "notice_url",
      max_length: 2048,
    }),
  ),
  backchannel_logout_session_required: defaulting(
    bool("whether each logout token must name the ended session (`sid`)"),
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
  who_may_sign_in: defaulting(
    oneOf(
      "who may sign in to the app. `any`: all users. `members`: members of the app's organization or, if a user owns the app, of any organization. `roles`: those members who have a role in `sign_in_roles`. `groups`: those members who are in a group in `sign_in_groups`",
      signInAudiences,
    ),
    "any",
  ),
  sign_in_roles: defaulting(
    strings("names of the roles with which members may sign in if `who_may_sign_in` is `roles`", {
      plain: "line",
      distinct: true,
      most: { items: 100, characters: 64 },
    }),
    [],
  ),
  sign_in_groups: defaulting(
    strings("names of the groups whose members may sign in if `who_may_sign_in` is `groups`", {
      plain: "line",
      distinct: true,
      most: { items: 100, characters: 255 },
    }),
    [],
  ),
  claims: optional(
    object(
      "for each claim, which of id_token, userinfo, access_token and introspection contain it. Claims about the membership that are not named are in all of them, claims of attributes in none",
      {
        format: "claim_surfaces",
      },
    ),
  ),
  organization_mode: defaulting(
    oneOf(
      "whether tokens are for one of the user's organizations. `none`: never. `optional`: if the request names one. `auto`: also if the user has only one or chooses one. `required`: always, so users without an organization cannot sign in",
      organizationModes,
    ),
    "none",
  ),
  require_pkce: defaulting(bool("whether the app must use PKCE. Public apps always must"), false),
  claims_dialect: defaulting(
    oneOf(
      "claims about organization, roles and groups in the format of another product. `none`: only Postern's own. `auth0`: also `org_id` and `org_name`. `keycloak`: also `realm_access` and `resource_access`, and each group as a path",
      claimDialects,
    ),
    "none",
  ),
  attributes,
  email_as_username: defaulting(
    bool(
      "whether `preferred_username` is the email address if the user has no username and the scope email is granted",
    ),
    false,
  ),
  session_expiry_in_id_token: defaulting(
    bool("whether ID tokens contain the end of the user's session as `session_expiry`"),
    false,
  ),
} as const;
