/**
 * Discovery metadata (spec 4.5, RFC 8414, OpenID Connect Discovery 1.0), derived from the server's
 * capabilities.
 */
import type { SigningAlgorithm } from "../crypto/signing_algorithms.ts";
import { isSignUpOpen } from "../records/formats/sign_up.ts";
import { membershipScopes, openidScopes, responseTypes } from "../records/names/names.ts";
import { among, demandsOnAll } from "../records/names/profiles.ts";
import { acrValues, passwordAcr } from "../records/names/sign_in_methods.ts";
import { offeredModeNames } from "./authorize/response_modes.ts";
import { allClientSources } from "./client_sources/all_client_sources.ts";
import { codeChallengeMethods } from "./core/pkce.ts";
import {
  confidentialMethods,
  offerOf,
  offersFeature,
  requiresPushes,
  usableMethods,
} from "./core/rules_for.ts";
import type { AuthorizationServer } from "./core/server.ts";
import { dpopAlgorithms } from "./dpop/proof.ts";
import { userinfoClaims } from "./token/id_token.ts";

/**
 * Returns the discovery document: the ten fields of spec 4.5, then those of OpenID Connect and later RFCs.
 * `registers` means that clients may register themselves now, and `open_clients` that they may use client
 * documents. `attributes` are the claims of ready-made attributes that apps request; `protected_resources`
 * are the APIs to list (RFC 9728 4).
 */
export function discoveryDocument(
  server: AuthorizationServer,
  algorithms: readonly SigningAlgorithm[] = ["RS256"],
  {
    registers = false,
    open_clients = false,
    organizations = false,
    attributes = [],
    protected_resources,
  }: {
    readonly registers?: boolean;
    readonly open_clients?: boolean;
    readonly organizations?: boolean;
    readonly attributes?: readonly string[];
    readonly protected_resources?: readonly string[] | undefined;
  } = {},
): Record<string, unknown> {
  const { issuer, settings } = server;
  const { service_documentation, op_policy_uri, op_tos_uri } = settings;
  const methods = usableMethods(server);
  const demands = demandsOnAll(server.settings);
  const authenticationMethods = methods.map(({ name }) => name);
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    introspection_endpoint: `${issuer}/oauth/introspect`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    response_types_supported: [...responseTypes],
    grant_types_supported: [...offerOf(server).grants.keys()],
    token_endpoint_auth_methods_supported: authenticationMethods,
    code_challenge_methods_supported: Object.keys(codeChallengeMethods),

    userinfo_endpoint: `${issuer}/oauth/userinfo`,
    end_session_endpoint: `${issuer}/oauth/logout`,
    ...(offersFeature(server, "logout_notices") && {
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    }),
    response_modes_supported: offeredModeNames(server),
    scopes_supported: [
      ...openidScopes,
      ...(organizations ? membershipScopes : []),
      ...(attributes.includes("phone_number") ? ["phone"] : []),
    ],
    claims_supported: [
      ...userinfoClaims(server.settings),
      "iss",
      "aud",
      "exp",
      "iat",
      "auth_time",
      "acr",
      "amr",
      "nonce",
      "at_hash",
      "sid",
      ...(organizations ? membershipScopes : []),
      ...attributes,
    ],
    claim_types_supported: ["normal"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: among(algorithms, demands.token_algorithms),
    acr_values_supported: server.settings.extra_sign_in?.length ? [...acrValues] : [passwordAcr],
    prompt_values_supported: [
      ...["none", "login", "consent", "select_account"],
      ...(isSignUpOpen(undefined, server.settings.sign_up) ? ["create"] : []),
    ],
    introspection_endpoint_auth_methods_supported: confidentialMethods(server),
    revocation_endpoint_auth_methods_supported: authenticationMethods,
    authorization_response_iss_parameter_supported: true,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    require_request_uri_registration: false,
    ...(organizations && { organization_parameter_supported: true }),
    ...(protected_resources !== undefined && { protected_resources }),
    ...(registers && { registration_endpoint: `${issuer}/oauth/register` }),
    ...(offersFeature(server, "par") && {
      pushed_authorization_request_endpoint: `${issuer}/oauth/par`,
      require_pushed_authorization_requests: requiresPushes(server),
    }),
    ...Object.assign({}, ...allClientSources.map((source) => source.metadata(server, open_clients))),
    ...Object.assign({}, ...methods.map(({ metadata }) => metadata?.(demands))),
    ...(service_documentation !== undefined && { service_documentation }),
    ...(op_policy_uri !== undefined && { op_policy_uri }),
    ...(op_tos_uri !== undefined && { op_tos_uri }),
    ...(offersFeature(server, "dpop") && { dpop_signing_alg_values_supported: dpopAlgorithms(demands) }),
  };
}
