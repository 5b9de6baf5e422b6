/** What each refusal tells the client and keeps for the people who look after the app, word for word. */

import { proofAlgorithms } from "../../src/crypto/embedded_keys.ts";
import type { Given, RefusalKind } from "../../src/oauth/refusals/refuse.ts";
import { evidence } from "../../src/records/evidence.ts";
import { clientKeyAlgorithms, keyAlgorithms } from "../../src/records/names.ts";
import { later, start } from "../support/builders.ts";

const methods = ["client_secret_basic", "client_secret_post"];
const asked = { requested: ["a", "b"], allowed: ["a"] };
const client = { app: { client_id: "web", organization_id: null, owner_id: "owner" } };
const none = async () => undefined;
const store = { findClientOfApp: none, findUser: none, findServiceAccount: none, find: none } as never;
const server = { store, now: () => start };
const listedApi = {
  identifier: "https://api.example/orders",
  identifier_key: "https://api.example/orders",
  active: true,
  who_may_ask: "listed",
};
const ground = { app_id: "app", user_id: "user", session_id: "session", created_at: start };
const token = { revoked_reason: "revoked", revoked_at: start };

/** Refusals that are given something. */
type Taking = { [Kind in RefusalKind]: Given<Kind> extends undefined ? never : Kind }[RefusalKind];

export const given: { readonly [Kind in Taking]: Given<Kind> } = {
  parameter_missing: { name: "code" },
  parameter_repeated: { name: "a".repeat(50), times: 3 },
  too_many_parameters: { most: 100 },
  body_not_form: { received: "application/json", expected: "application/x-www-form-urlencoded" },
  body_too_large: { most: 65_536 },
  address_too_long: { length: 9000, most: 8192 },
  method: { method: "PUT", allowed: ["GET", "POST"] },
  client_not_authenticated: { methods },
  client_public: { method: "none", methods },
  client_unproven: { why: () => evidence("client_id", "client_id", null) },
  two_methods: {
    credentials: [
      { in: "header", name: "Authorization" },
      { in: "form", name: "client_secret" },
    ],
    methods,
  },
  client_id_differs: { client_id: "other" },
  client_throttled: { retry_after: 60 },
  client_assertions_too_many: { retry_after: 1 },
  client_credentials_of_none: { method: "none", methods },
  assertion_alg: { received: "none", allowed: keyAlgorithms },
  assertion_crit: { received: ["b64"] },
  assertion_typ: { received: "at+jwt" },
  assertion_kid: { received: 7 },
  assertion_iss: { received: undefined },
  assertion_sub: { received: "" },
  assertion_iss_not_sub: { received: "b", iss: "a" },
  assertion_aud: { received: "https://x.example", allowed: ["https://id.example"] },
  assertion_exp: { received: "soon", expected: "0 – 300" },
  assertion_expired: { received: 1, expected: "9 – 309" },
  assertion_exp_far: { received: 900, expected: "0 – 300", ahead: 900, most: 300 },
  assertion_nbf: { received: "x", expected: "≤ 10" },
  assertion_nbf_ahead: { received: 11, expected: "≤ 10" },
  assertion_iat: { received: null, expected: "≤ 60" },
  assertion_iat_ahead: { received: 61, expected: "≤ 60" },
  assertion_unverified: { why: "no_such_key", account: "robot@example.com", kid: "k1" },
  assertion_key_unfit: { alg: "ES256", algorithm: "ES256" },
  assertion_alg_not_of_key: { alg: "RS256", key_type: "ec", algorithm: "ES256" },
  client_assertion_alg: { received: "none", allowed: clientKeyAlgorithms },
  client_assertion_alg_not_of_app: { received: "RS256", allowed: ["PS256", "ES256"] },
  client_assertion_crit: { received: ["b64"] },
  client_assertion_typ: { received: "at+jwt" },
  client_assertion_kid: { received: 7 },
  client_assertion_iss: { received: undefined },
  client_assertion_sub: { received: "" },
  client_assertion_iss_not_sub: { received: "b", iss: "a" },
  client_assertion_aud: { received: "https://x.example", allowed: ["https://id.example"] },
  client_assertion_exp: { received: "soon", expected: "0 – 300" },
  client_assertion_expired: { received: 1, expected: "9 – 309" },
  client_assertion_exp_far: { received: 900, expected: "0 – 300", ahead: 900, most: 300 },
  client_assertion_nbf: { received: "x", expected: "≤ 10" },
  client_assertion_nbf_ahead: { received: 11, expected: "≤ 10" },
  client_assertion_iat: { received: null, expected: "≤ 60" },
  client_assertion_iat_ahead: { received: 61, expected: "≤ 60" },
  client_assertion_type: { received: undefined, expected: "urn:ietf:x" },
  client_assertion_of_other: { client_id: "other" },
  client_assertion_unverified: { why: "no_key_fits", kid: "k1" },
  client_assertion_alg_not_of_key: { alg: "RS256", algorithms: ["PS256"] },
  client_id: { client_id: "nobody" },
  client_inactive: { app: { active: false, revoked_at: null }, organization: undefined } as never,
  redirect_uri: {
    redirect_uri: "https://a.example/x",
    app: { redirect_uris: ["https://b.example/", "https://a.example/"] },
  },
  redirect_uri_insecure: {
    redirect_uri: "http://127.0.0.1/",
    app: { redirect_uris: ["http://127.0.0.1/", "https://a.example/"] },
  },
  identifying_parameter_repeated: { name: "client_id", times: 2 },
  response_type: { received: "token" },
  response_type_not_allowed: { allowed_response_types: [] },
  code_grant_not_allowed: { allowed_grants: ["client_credentials"] },
  response_mode: { received: "fragment" },
  prompt_none: { received: ["none", "login"] },
  max_age: { received: "-1" },
  auth_age: { authenticated_at: start, now: later(90), max_age: "60" },
  acr_not_held: { held: "urn:postern:acr:password", asked: ["urn:postern:acr:mfa", "phr"] },
  acr_unreachable: { highest: undefined, asked: ["phr"] },
  consent: asked,
  client_identifier: { fault: "no_path", client_id: "https://client.example/" },
  client_host_refused: { client_id: "https://client.example/client.json" },
  client_document_unfit: {
    fault: { code: "private_key", member: "jwks" },
    client_id: "https://client.example/client.json",
  },
  client_document_gone: { client_id: "https://client.example/client.json" },
  client_document_unavailable: { retry_after: 10 },
  client_document_throttled: { retry_after: 3 },
  pushed_reference: { name: "request_uri" },
  pushed_too_long: { length: 9000, most: 8192 },
  pushed_too_many: { retry_after: 60 },
  pushed_expired: { created_at: start, expires_at: later(60), now: later(61) },
  consent_form_too_old: { created_at: start, expires_at: later(1800), now: later(1900) },
  challenge_method_missing: { allowed: ["S256"] },
  challenge_method: { received: "plain", allowed: ["S256"] },
  challenge_malformed: { received: "short" },
  scope_not_allowed: { ...asked, scope: "b".repeat(70) },
  no_scope_allowed: asked,
  scope_beyond_grant: asked,
  scope_of_user: { received: ["openid"] },
  scope_not_of_resource: { ...asked, scope: "b" },
  resource_malformed: { requested: ["a"] },
  resource_not_allowed: {
    requested: "https://api.example/order",
    asker: { app: { ...client.app, provenance: "registered", resources: [listedApi.identifier] } },
    server: { store: { resourcesNear: async () => [listedApi] } },
  } as never,
  resource_ended: { requested: ["a"] },
  resources_differ: { requested: ["a", "b"] },
  resource_beyond_grant: asked,
  grant_type: { received: "password", offered: ["authorization_code", "refresh_token"] },
  grant_not_allowed: { grant_type: "refresh_token", app: { allowed_grants: ["auth_code"] } },
  user_inactive: { why: "ended" },
  code_unknown: { presented: "pac_short" },
  code_of_other_app: { issued_to: "other", client, server },
  code_replayed: { id: "family", used_at: start },
  code_expired: { created_at: start, expires_at: later(60), now: later(75) },
  code_redirect_uri: { received: "https://a.example/x", expected: "https://a.example/" },
  code_ended: { ground, server },
  verifier_missing: { method: "S256" },
  verifier_differs: { why: "differs", verifier: "v".repeat(43), method: "S256" },
  refresh_token_unknown: { presented: "prt_short" },
  refresh_token_of_other_app: { issued_to: "other", client, server },
  refresh_token_replayed: { family_id: "family", rotated_at: start },
  refresh_token_revoked: token,
  refresh_token_expired: { created_at: start, expires_at: later(60), now: later(75) },
  refresh_token_ended: { ground, server },
  revoked_token_of_other_app: { issued_to: "other", client, server },
  userinfo_parameter_repeated: { name: "access_token" },
  access_token_inactive: { found: undefined, server },
  openid_lacking: { granted_scopes: ["profile"] },
  audience: { received: ["https://api.example"], issuer: "https://id.example" },
  dpop_typ: { received: "JWT" },
  dpop_alg: { received: "HS256", allowed: proofAlgorithms },
  dpop_jwk: { alg: "ES256" },
  dpop_htm: { received: "GET", expected: "POST" },
  dpop_htu: { received: "https://a.example/", expected: "https://id.example/oauth/token" },
  dpop_clock: { skew: 75, most: 60 },
  dpop_clock_nonce: { skew: -75, most: 60 },
  grant_of_other_key: { received: { jkt: "b" }, expected: { jkt: "a" } },
  dpop_jkt_differs: { received: "b", expected: "a" },
  dpop_jkt: { received: "short" },
  token_bound: { received: undefined, expected: { jkt: "a" } },
  token_of_other_key: { received: { jkt: "b" }, expected: { jkt: "a" } },
  hint_of_other_client: { client_id: "web" },
  post_logout_redirect_uri: { uri: "https://a.example/x", registered: ["https://a.example/"] },
  decision: { received: undefined },
  sign_in: { reason: "wrong_password" },
  passkey_sign_in: { fault: "unknown" },
  sign_in_throttled: { retry_after: 900 },
  upstream: {
    provider: "acme",
    field: "iss",
    sentence: "the provider gave an id_token of another issuer",
    received: "https://b.example",
    expected: "https://a.example",
  },
  registration_member_repeated: { name: "scope" },
  registration_member: { member: "scope", why: "must be a string" },
  registration_unsupported: {
    member: "grant_types",
    received: ["password"],
    supported: ["authorization_code"],
  },
  registration_redirect_uris: { received: ["data:x"] },
  registration_redirect_uris_too_many: { most: 32 },
  registration_scope_lacking: { granted_scopes: ["openid"] },
  registration_throttled: { retry_after: 60 },
};

/** Status, error code and description; the evidence: kind, name, what was received and what was expected. */
export const told: Readonly<Record<RefusalKind, string>> = {
  parameter_missing: "400 invalid_request: the parameter code is missing; missing code: – / –",
  parameter_repeated:
    "400 invalid_request: the parameter aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa? must not be repeated; repeated aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…: 3 / 1",
  percent_encoding:
    "400 invalid_request: the parameters hold a broken percent-encoding; malformed parameters: percent_encoding / –",
  nul_character: "400 invalid_request: the parameters hold a NUL character; malformed parameters: nul / –",
  too_many_parameters:
    "400 invalid_request: there are more than 100 parameters; malformed parameters: too_many / 100",
  body_ended_early: "400 invalid_request: the body ended early; malformed body: ended_early / –",
  body_not_utf8: "400 invalid_request: the body is not UTF-8; malformed body: not_utf8 / –",
  body_not_form:
    "415 invalid_request: the content type must be application/x-www-form-urlencoded; content_type Content-Type: application/json / application/x-www-form-urlencoded",
  body_too_large: "413 invalid_request: the body is larger than 65536 bytes; too_large body: – / 65536",
  address_too_long:
    "414 invalid_request: the request is longer than 8192 characters; too_large address: 9000 / 8192",
  body_refused: "413 invalid_request: the body is too large; too_large body: – / –",
  address_refused: "414 invalid_request: the address is too long; too_large address: – / –",
  method: "405 invalid_request: the method PUT is not allowed here; method method: PUT / [GET, POST]",
  client_not_authenticated:
    "401 invalid_client: client authentication failed; client_authentication client authentication: – / [client_secret_basic, client_secret_post]",
  client_not_named: "401 invalid_client: client authentication failed; missing client_id: – / –",
  header_not_basic:
    "401 invalid_client: client authentication failed; authorization_header Authorization: not_basic / Basic",
  header_without_colon:
    "401 invalid_client: client authentication failed; authorization_header Authorization: no_colon / Basic",
  client_public:
    "401 invalid_client: client authentication failed; client_authentication client authentication: none / [client_secret_basic, client_secret_post]",
  client_unproven: "401 invalid_client: client authentication failed; client_id client_id: – / –",
  client_ended: "401 invalid_client: client authentication failed",
  client_may_not_be_left_out:
    "401 invalid_client: no client authentication in the request, and none may be left out; client_authentication client authentication: – / –",
  two_methods:
    "400 invalid_request: the client authenticates both by the Authorization header and by client_secret; two_methods client_secret: [client_secret_basic, client_secret_post] / –",
  client_id_differs:
    "400 invalid_request: client_id differs from the client of the Authorization header; client_id_differs client_id: other / –",
  client_throttled:
    "429 temporarily_unavailable: too many wrong secrets; try again later; throttled Retry-After: 60 / –",
  client_assertions_too_many:
    "429 temporarily_unavailable: too many assertions of this client; try again later; throttled Retry-After: 1 / –",
  client_credentials_of_none:
    "400 unauthorized_client: a public client has no credentials to present; client_authentication client authentication: none / [client_secret_basic, client_secret_post]",
  assertion_not_jwt:
    "400 invalid_grant: the assertion is not a signed JWT in compact form; assertion assertion: not_a_jwt / –",
  assertion_alg:
    '400 invalid_grant: the assertion must be signed with one of RS256, RS384, RS512, ES256, ES384, ES512; assertion alg: "none" / [RS256, RS384, RS512, ES256, ES384, ES512]',
  assertion_crit:
    '400 invalid_grant: the assertion\'s header has crit, and no extension is understood here; assertion crit: ["b64"] / –',
  assertion_typ: '400 invalid_grant: the assertion\'s typ must be JWT; assertion typ: "at+jwt" / JWT',
  assertion_kid:
    "400 invalid_grant: the assertion's header lacks kid, the key_id of the key that signed it; assertion kid: 7 / –",
  assertion_iss: "400 invalid_grant: the assertion lacks iss, the service account; assertion iss: – / –",
  assertion_sub: '400 invalid_grant: the assertion lacks sub, the service account; assertion sub: "" / –',
  assertion_iss_not_sub:
    '400 invalid_grant: the assertion\'s iss and sub must both be the service account; assertion sub: "b" / a',
  assertion_aud:
    "400 invalid_grant: the assertion's aud must be this server's issuer or token endpoint, and nobody else; assertion aud: \"https://x.example\" / [https://id.example]",
  assertion_exp:
    '400 invalid_grant: the assertion lacks exp, a time in seconds; assertion exp: "soon" / 0 – 300',
  assertion_expired: "400 invalid_grant: the assertion has expired; assertion exp: 1 / 9 – 309",
  assertion_exp_far:
    "400 invalid_grant: the assertion's exp is 900 seconds away, and at most 300 are allowed; assertion exp: 900 / 0 – 300",
  assertion_nbf:
    '400 invalid_grant: the assertion\'s nbf must be a time in seconds; assertion nbf: "x" / ≤ 10',
  assertion_nbf_ahead: "400 invalid_grant: the assertion's nbf is in the future; assertion nbf: 11 / ≤ 10",
  assertion_iat:
    "400 invalid_grant: the assertion's iat must be a time in seconds; assertion iat: null / ≤ 60",
  assertion_iat_ahead: "400 invalid_grant: the assertion's iat is in the future; assertion iat: 61 / ≤ 60",
  assertion_jti:
    "400 invalid_grant: the assertion lacks jti, which makes it usable once; assertion jti: – / –",
  assertion_used: "400 invalid_grant: the assertion was already used; assertion jti: used / –",
  assertion_unverified:
    "400 invalid_grant: the assertion is not signed with a key of the service account that it names; assertion_key signature: no_such_key / –; assertion iss: robot@example.com / –; assertion kid: k1 / –",
  client_assertion_not_jwt:
    "401 invalid_client: the assertion is not a signed JWT in compact form; client_assertion assertion: not_a_jwt / –",
  client_assertion_alg:
    '401 invalid_client: the assertion must be signed with one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519; client_assertion alg: "none" / [RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA, Ed25519]',
  client_assertion_crit:
    '401 invalid_client: the assertion\'s header has crit, and no extension is understood here; client_assertion crit: ["b64"] / –',
  client_assertion_typ:
    '401 invalid_client: the assertion\'s typ must be client-authentication+jwt or JWT; client_assertion typ: "at+jwt" / client-authentication+jwt or JWT',
  client_assertion_kid:
    "401 invalid_client: the assertion's header lacks kid, which must be a text; client_assertion kid: 7 / –",
  client_assertion_iss:
    "401 invalid_client: the assertion lacks iss, the client_id; client_assertion iss: – / –",
  client_assertion_sub:
    '401 invalid_client: the assertion lacks sub, the client_id; client_assertion sub: "" / –',
  client_assertion_iss_not_sub:
    '401 invalid_client: the assertion\'s iss and sub must both be the client_id; client_assertion sub: "b" / a',
  client_assertion_aud:
    '401 invalid_client: the assertion\'s aud must be this server, as one string; client_assertion aud: "https://x.example" / [https://id.example]',
  client_assertion_exp:
    '401 invalid_client: the assertion lacks exp, a time in seconds; client_assertion exp: "soon" / 0 – 300',
  client_assertion_expired:
    "401 invalid_client: the assertion has expired; client_assertion exp: 1 / 9 – 309",
  client_assertion_exp_far:
    "401 invalid_client: the assertion's exp is 900 seconds away, and at most 300 are allowed; client_assertion exp: 900 / 0 – 300",
  client_assertion_nbf:
    '401 invalid_client: the assertion\'s nbf must be a time in seconds; client_assertion nbf: "x" / ≤ 10',
  client_assertion_nbf_ahead:
    "401 invalid_client: the assertion's nbf is in the future; client_assertion nbf: 11 / ≤ 10",
  client_assertion_iat:
    "401 invalid_client: the assertion's iat must be a time in seconds; client_assertion iat: null / ≤ 60",
  client_assertion_iat_ahead:
    "401 invalid_client: the assertion's iat is in the future; client_assertion iat: 61 / ≤ 60",
  client_assertion_jti:
    "401 invalid_client: the assertion lacks jti, which makes it usable once; client_assertion jti: – / –",
  client_assertion_used: "401 invalid_client: the assertion was already used; client_assertion jti: used / –",
  client_assertion_type:
    "401 invalid_client: client_assertion_type must be urn:ietf:x; one_of client_assertion_type: – / [urn:ietf:x]",
  client_assertion_of_other:
    "401 invalid_client: client_id differs from the client of the assertion; client_id_differs client_id: other / –",
  client_assertion_unverified:
    "401 invalid_client: client authentication failed; client_assertion_key signature: no_key_fits / –; client_assertion kid: k1 / –",
  client_assertion_alg_not_of_app:
    "401 invalid_client: the assertion's alg is RS256, and this client signs with PS256 or ES256 alone; client_assertion alg: RS256 / [PS256, ES256]",
  client_assertion_alg_not_of_key:
    "401 invalid_client: the assertion's alg is RS256, and the key signs with PS256 alone; client_assertion alg: RS256 / [PS256]",
  service_account_gone:
    "400 invalid_grant: the assertion is not signed with a key of the service account that it names; assertion_key signature: no_such_account / –",
  assertion_key_unfit:
    "400 invalid_grant: the key is registered for ES256, which a key of its kind cannot sign with; assertion alg: ES256 / ES256",
  assertion_alg_not_of_key:
    "400 invalid_grant: the assertion's alg is RS256, and the key is of type ec and signs with ES256 alone; assertion alg: RS256 / ES256",
  assertion_key_revoked:
    "400 invalid_grant: the key that signed the assertion was revoked; assertion_key kid: revoked / –",
  assertion_key_inactive:
    "400 invalid_grant: the key that signed the assertion is not active; assertion_key kid: inactive / –",
  assertion_key_expired:
    "400 invalid_grant: the key that signed the assertion has expired; assertion_key kid: expired / –",
  service_account_inactive:
    "400 invalid_grant: the service account is not active; assertion_key iss: inactive / –",
  service_account_organization_inactive:
    "400 invalid_grant: the organization of the service account is not active; assertion_key iss: organization_inactive / –",
  client_id:
    "400 invalid_request: no client of this client_id is registered; client_id client_id: nobody / –",
  client_inactive:
    "400 invalid_request: the client is not active; client_inactive client_id: app_inactive / –",
  redirect_uri_insecure:
    "400 invalid_request: redirect_uri must be https, on a host of the network, for this client; redirect_uri redirect_uri: http://127.0.0.1/ / [https://a.example/]",
  redirect_uri:
    "400 invalid_request: redirect_uri is not one that is registered for this client; redirect_uri redirect_uri: https://a.example/x / [https://a.example/, https://b.example/]",
  identifying_parameter_repeated:
    "400 invalid_request: the parameter client_id is repeated; repeated client_id: 2 / 1",
  request_not_supported:
    "400 request_not_supported: the parameter request is not supported; not_supported request: – / –",
  request_uri_not_supported:
    "400 request_uri_not_supported: the parameter request_uri is not supported; not_supported request_uri: – / –",
  registration_not_supported:
    "400 registration_not_supported: the parameter registration is not supported; not_supported registration: – / –",
  response_type:
    "400 unsupported_response_type: response_type must be code; one_of response_type: token / [code]",
  response_type_not_allowed:
    "400 unauthorized_client: the client may not use this response_type; allowed_response_types response_type: code / []",
  code_grant_not_allowed:
    "400 unauthorized_client: the client may not use the authorization code grant; allowed_grants allowed_grants: authorization_code / [client_credentials]",
  response_mode: "400 invalid_request: response_mode must be query; one_of response_mode: fragment / [query]",
  prompt_none: "400 invalid_request: prompt=none must stand alone; one_of prompt: [none, login] / [none]",
  max_age: "400 invalid_request: max_age must be a number of seconds; malformed max_age: -1 / 0 – 9999999999",
  id_token_hint:
    "400 invalid_request: id_token_hint is not an id_token of this server; id_token_hint id_token_hint: not_ours / –",
  not_signed_in: "400 login_required: nobody is signed in; not_signed_in prompt: none / –",
  auth_age: "400 login_required: the sign-in is older than max_age allows; auth_age max_age: 90 / 60",
  acr_not_held:
    "400 login_required: the sign-in has not reached the level that is asked for; acr_not_held acr_values: urn:postern:acr:password / [urn:postern:acr:mfa, phr]",
  acr_unreachable:
    "400 unmet_authentication_requirements: the account cannot reach the level of sign-in that this client requires; acr_unreachable require_acr: – / [phr]",
  other_user:
    "400 login_required: another user is signed in than id_token_hint names; other_user id_token_hint: another_user / –",
  consent:
    "400 consent_required: the user has not allowed this client what it asks for; consent scope: [a, b] / [a]",
  denied: "403 access_denied: the user denied the request; denied decision: deny / –",
  client_identifier:
    "400 invalid_client: client_id must have a path; client_document client_id: https://client.example/ / –",
  client_host_refused:
    "400 invalid_client: clients of this host may not be used here; client_document client_id: https://client.example/client.json / –",
  client_document_unfit:
    "400 invalid_client: jwks in the document of this client must hold public keys alone: this private key was published and has to be replaced; client_document jwks: https://client.example/client.json / –",
  client_document_gone:
    "400 invalid_client: there is no document at the address that is the client_id; client_document client_id: https://client.example/client.json / –",
  client_document_unavailable:
    "503 temporarily_unavailable: the document of this client cannot be fetched at present; try again later; throttled Retry-After: 10 / –",
  client_document_throttled:
    "429 temporarily_unavailable: too many clients that are new here were asked for; try again later; throttled Retry-After: 3 / –",
  consent_form_of_other_document:
    "400 invalid_request: the consent form is about a client that describes itself otherwise by now; start again at the application; consent_form request: changed_meanwhile / –",
  pushed_reference:
    "400 invalid_request: the parameter request_uri must not stand in a pushed request; not_supported request_uri: – / –",
  pushed_too_long:
    "413 invalid_request: the pushed request is longer than 8192 characters; too_large body: 9000 / 8192",
  pushed_too_many:
    "429 temporarily_unavailable: too many pushed requests of this client wait to be used; try again later; throttled Retry-After: 60 / –",
  pushed_unknown:
    "400 invalid_request_uri: request_uri is not one that this client pushed; pushed_request request_uri: not_issued / –",
  pushed_expired:
    "400 invalid_request_uri: the pushed request has expired; start again at the application; pushed_request request_uri: expired / –; expired request_uri: 61 / 60",
  pushed_used:
    "400 invalid_request_uri: the pushed request was answered before; start again at the application; pushed_request request_uri: used / –",
  push_required:
    "400 invalid_request: the authorization request must be pushed first (RFC 9126); push_required request_uri: – / –",
  consent_form_unreadable:
    "400 invalid_request: the consent form cannot be read; start again at the application; consent_form request: unreadable / –",
  consent_form_of_other_session:
    "400 invalid_request: the consent form belongs to another sign-in; start again at the application; consent_form request: other_session / –",
  consent_form_too_old:
    "400 invalid_request: the consent form is too old; start again at the application; consent_form request: too_old / –; expired request: 1900 / 1800",
  consent_form_answered:
    "400 invalid_request: the consent form was answered before; start again at the application; consent_form request: answered / –",
  challenge_missing:
    "400 invalid_request: code_challenge_method came without a code_challenge; missing code_challenge: – / –",
  pkce_required:
    "400 invalid_request: the parameter code_challenge is missing: this client must use PKCE; pkce_required code_challenge: – / –",
  challenge_method_missing:
    "400 invalid_request: the parameter code_challenge_method is missing; it must be S256; pkce_method code_challenge_method: – / [S256]",
  challenge_method:
    "400 invalid_request: code_challenge_method must be S256; pkce_method code_challenge_method: plain / [S256]",
  challenge_malformed:
    "400 invalid_request: code_challenge must be 43 to 128 characters out of A-Z a-z 0-9 - . _ ~; pkce_challenge code_challenge: 5 / [43, 128]",
  scope_missing: "400 invalid_scope: the parameter scope is missing; missing scope: – / –",
  scope_missing_without_default:
    "400 invalid_scope: the parameter scope is missing, and there is no scope to grant without it; missing scope: – / –",
  scope_malformed:
    "400 invalid_scope: a scope holds characters that no scope may hold; malformed scope: characters / –",
  scope_not_allowed:
    "400 invalid_scope: the scope bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb is not allowed for this client; scope scope: [a, b] / [a]",
  no_scope_allowed:
    "400 invalid_scope: none of the scopes is allowed for this client; scope scope: [a, b] / [a]",
  scope_beyond_grant:
    "400 invalid_scope: a scope goes beyond what was granted and is allowed to the client; scope scope: [a, b] / [a]",
  scope_of_user:
    "400 invalid_scope: openid and offline_access are about a user, and here is none; scope_of_user scope: [openid] / –",
  resource_malformed:
    "400 invalid_target: resource must be an absolute URI without a fragment; resource resource: [a] / –",
  resource_not_allowed:
    "400 invalid_target: the client may not ask for tokens for this resource; resource resource: [https://api.example/order] / [https://api.example/orders]",
  resource_ended:
    "400 invalid_target: the resource is not there any more, or the client may not ask for it any more; resource resource: [a] / –",
  resources_differ:
    "400 invalid_target: the resources need tokens that are signed differently: ask for each by itself; resource resource: [a, b] / –",
  scope_not_of_resource:
    "400 invalid_scope: the scope b is none of the requested resource; scope scope: [a, b] / [a]",
  resource_beyond_grant:
    "400 invalid_target: a resource was not part of the authorization; resource resource: [a, b] / [a]",
  grant_type:
    "400 unsupported_grant_type: grant_type must be one of authorization_code, refresh_token; grant_type grant_type: password / [authorization_code, refresh_token]",
  grant_not_allowed:
    "400 unauthorized_client: the client may not use the grant refresh_token; allowed_grants allowed_grants: refresh_token / [authorization_code]",
  user_inactive: "400 invalid_grant: the user is not active; user_inactive user: ended / –",
  code_unknown:
    "400 invalid_grant: the authorization code is not one that was issued to this client; unknown_credential code: not_shaped / –",
  code_of_other_app:
    "400 invalid_grant: the authorization code is not one that was issued to this client; other_app code: another_app / web",
  code_replayed:
    "400 invalid_grant: the authorization code was already used; already_used code: 2030-01-01T00:00:00.000Z / –",
  code_expired: "400 invalid_grant: the authorization code has expired; expired code: 75 / 60",
  code_redirect_uri:
    "400 invalid_grant: redirect_uri differs from that of the authorization request; code_redirect_uri redirect_uri: https://a.example/x / https://a.example/",
  code_ended:
    "400 invalid_grant: the authorization code has expired, or the session or consent behind it has ended; ended code: app_ended / –; ended code: user_ended / –; ended code: session_ended / –",
  verifier_not_asked_for:
    "400 invalid_grant: a code_verifier came for a code that was asked for without a code_challenge; pkce_verifier code_verifier: not_asked_for / –",
  verifier_missing:
    "400 invalid_grant: the parameter code_verifier is missing; pkce_verifier code_verifier: absent / S256",
  verifier_differs:
    "400 invalid_grant: the code_verifier does not match the code_challenge; pkce_verifier code_verifier: differs / S256; length code_verifier: 43 / [43, 128]",
  refresh_token_unknown:
    "400 invalid_grant: the refresh token is not one that was issued to this client; unknown_credential refresh_token: not_shaped / –",
  refresh_token_of_other_app:
    "400 invalid_grant: the refresh token is not one that was issued to this client; other_app refresh_token: another_app / web",
  refresh_token_replayed:
    "400 invalid_grant: the refresh token was already used; already_used refresh_token: 2030-01-01T00:00:00.000Z / –",
  refresh_token_revoked:
    "400 invalid_grant: the refresh token was revoked; revoked refresh_token: [revoked, 2030-01-01T00:00:00.000Z] / –",
  refresh_token_expired: "400 invalid_grant: the refresh token has expired; expired refresh_token: 75 / 60",
  refresh_token_ended:
    "400 invalid_grant: the refresh token has expired or was revoked, or what it stands on has ended; ended refresh_token: app_ended / –; ended refresh_token: user_ended / –; ended refresh_token: session_ended / –",
  revoked_token_of_other_app:
    "400 invalid_grant: the token is another client's; other_app token: another_app / web",
  access_token_missing: "401 invalid_token: no access token in the request; missing Authorization: – / –",
  access_token_malformed:
    "401 invalid_token: the access token is malformed; unknown_credential access_token: not_shaped / –",
  access_token_in_two_ways:
    "400 invalid_request: the access token came in two ways; authorization_header access_token: two_ways / –",
  userinfo_parameter_repeated: "400 invalid_request: a parameter is repeated; repeated access_token: – / –",
  access_token_inactive:
    "401 invalid_token: the access token is not active; unknown_credential access_token: not_issued / –",
  openid_lacking:
    "403 insufficient_scope: the access token needs the scope openid; scope_lacking scope: [profile] / [openid]",
  audience:
    "401 invalid_token: the access token is for another audience; audience aud: [https://api.example] / [https://id.example]",
  dpop_missing:
    "400 invalid_dpop_proof: a DPoP proof is required here, and the request has none; missing DPoP: – / –",
  dpop_repeated:
    "400 invalid_dpop_proof: the header DPoP must come once, with one proof; authorization_header DPoP: two_ways / –",
  dpop_not_jwt:
    "400 invalid_dpop_proof: the DPoP proof is not a signed JWT in compact form; proof DPoP: not_a_jwt / –",
  dpop_typ: '400 invalid_dpop_proof: the typ of the proof must be dpop+jwt; proof typ: "JWT" / dpop+jwt',
  dpop_alg:
    '400 invalid_dpop_proof: the proof must be signed with one of ES256, EdDSA, Ed25519, PS256, RS256; proof alg: "HS256" / [ES256, EdDSA, Ed25519, PS256, RS256]',
  dpop_crit:
    "400 invalid_dpop_proof: the header of the proof has crit, and no extension is understood here; proof crit: – / –",
  dpop_jwk_private:
    "400 invalid_dpop_proof: the jwk of the proof holds a private key; make a new key, and send its public half; proof jwk: – / –",
  dpop_jwk:
    "400 invalid_dpop_proof: the jwk of the proof must be a public key that fits its alg, ES256; proof jwk: – / ES256",
  dpop_unverified:
    "400 invalid_dpop_proof: the proof is not signed with the key of its jwk; proof signature: unverified / –",
  dpop_htm: '400 invalid_dpop_proof: the htm of the proof must be POST; proof htm: "GET" / POST',
  dpop_htu:
    "400 invalid_dpop_proof: the htu of the proof must be https://id.example/oauth/token; proof_address htu: https://a.example/ / https://id.example/oauth/token",
  dpop_jti: "400 invalid_dpop_proof: the proof lacks jti, a text of at most 256 characters; proof jti: – / –",
  dpop_iat: "400 invalid_dpop_proof: the proof lacks iat, a time in seconds; proof iat: – / –",
  dpop_clock:
    "400 invalid_dpop_proof: the iat of the proof is 75 seconds behind the clock of this server, and 60 are allowed; proof_clock_behind iat: 75 / 60",
  dpop_ath_missing:
    "400 invalid_dpop_proof: the proof lacks ath, the hash of the access token; proof ath: – / –",
  dpop_ath:
    "400 invalid_dpop_proof: the ath of the proof is not the hash of the access token beside it; proof ath: – / –",
  dpop_replayed:
    "400 invalid_dpop_proof: the proof was already used; make a new one for each request; proof jti: used / –",
  dpop_nonce_malformed: "400 invalid_dpop_proof: the nonce of the proof must be a text; proof nonce: – / –",
  dpop_nonce_missing:
    "400 use_dpop_nonce: the proof needs the nonce of the header DPoP-Nonce; proof nonce: – / –",
  dpop_nonce_ended:
    "400 use_dpop_nonce: the nonce of the proof is not one of this server, or has ended; use that of the header DPoP-Nonce; proof nonce: expired / –",
  dpop_clock_nonce:
    "400 use_dpop_nonce: the iat of the proof is 75 seconds ahead of the clock of this server, and 60 are allowed; the nonce of the header DPoP-Nonce stands in for it; proof_clock_ahead iat: 75 / 60",
  grant_of_other_key:
    "400 invalid_grant: the grant is bound to another key than the proof is signed with; proof_key cnf: [jkt b] / [jkt a]",
  dpop_jkt_differs:
    "400 invalid_request: dpop_jkt names another key than the proof is signed with; proof_key dpop_jkt: b / a",
  dpop_jkt:
    "400 invalid_request: dpop_jkt must be the SHA-256 thumbprint of a key, 43 characters of base64url; length dpop_jkt: 5 / [43, 43]",
  token_bound:
    "401 invalid_token: the access token is bound to a key, and must come as DPoP with a proof; proof_key cnf: [] / [jkt a]",
  token_of_other_key:
    "401 invalid_token: the access token is bound to another key than the proof is signed with; proof_key cnf: [jkt b] / [jkt a]",
  token_unbound:
    "401 invalid_token: the access token is bound to no key, and must come as Bearer; proof Authorization: DPoP / Bearer",
  hint_of_other_client:
    "400 invalid_request: id_token_hint was issued to another client than client_id names; id_token_hint id_token_hint: another_app / web",
  logout_client_missing:
    "400 invalid_request: post_logout_redirect_uri needs an id_token_hint or a client_id of a registered client; missing client_id: – / –",
  post_logout_redirect_uri:
    "400 invalid_request: post_logout_redirect_uri is not one that is registered for this client; post_logout_redirect_uri post_logout_redirect_uri: https://a.example/x / [https://a.example/]",
  sign_in_ended:
    "400 login_required: the sign-in has ended; start again at the application; not_signed_in session: – / –",
  foreign_form:
    "403 invalid_request: the form is out of date or was sent from another site; go back and try again; foreign_form csrf_token: foreign_or_old / –",
  decision: "400 invalid_request: decision must be allow or deny; one_of decision: – / [allow, deny]",
  dead_setup_link:
    "404 invalid_request: this setup link is used or too old; starting the server again prints another; dead_link token: – / –",
  sign_in: "403 access_denied: the sign-in failed; sign_in password: wrong_password / –",
  passkey_sign_in:
    "403 access_denied: the passkey was not accepted; sign_in passkey: unknown: passkey_refused / –",
  sign_in_throttled: "403 access_denied: too many attempts to sign in; throttled Retry-After: 900 / –",
  upstream:
    "403 access_denied: the provider gave an id_token of another issuer; upstream acme: iss: https://b.example / https://a.example",
  sign_in_out_of_date:
    "400 invalid_request: the form is out of date or was sent from another site; foreign_form csrf_token: foreign_or_old / –",
  style_sheet: "404 invalid_request: there is no such style sheet",
  demo_elsewhere: "421 invalid_request: the demo answers only requests of this machine, to its own address",
  registration_closed: "404 invalid_request: there is nothing at this address",
  registration_not_json:
    "400 invalid_client_metadata: the body must be a JSON object in UTF-8; malformed body: unreadable / –",
  registration_member_repeated:
    "400 invalid_client_metadata: a member of the JSON object stands twice; repeated scope: 2 / 1",
  registration_member: "400 invalid_client_metadata: scope must be a string; malformed scope: unreadable / –",
  registration_unsupported:
    "400 invalid_client_metadata: grant_types names nothing that this server has for clients that register themselves: authorization_code; one_of grant_types: [password] / [authorization_code]",
  registration_redirect_uris:
    "400 invalid_redirect_uri: redirect_uris must hold an address that this server can redirect to: https, http on loopback, or a private scheme; redirect_uri redirect_uris: [data:x] / –",
  registration_redirect_uris_too_many:
    "400 invalid_redirect_uri: redirect_uris holds more than 32 addresses; malformed redirect_uris: too_many / 32",
  registration_scope_lacking:
    "403 insufficient_scope: registering takes a credential with the scope postern:register; scope_lacking scope: [openid] / [postern:register]",
  registration_throttled:
    "429 temporarily_unavailable: too many clients register themselves; try again later; throttled Retry-After: 60 / –",
};
