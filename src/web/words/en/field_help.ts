import { memberHelp } from "./member_fields.ts";
import { providerHelp } from "./provider_fields.ts";

export const fieldHelp = {
  ...providerHelp,
  ...memberHelp,
  access_token_ttl: "Short lifetimes limit the damage of a stolen token: 15 minutes is usual.",
  app_ids:
    "One per line: client IDs, names or IDs of apps. They introspect its tokens, and their own tokens are for it.",
  api_scopes:
    "One per line, with its description behind an equals sign: orders:read = See your orders. Descriptions in other languages stay.",
  api_default_scopes:
    "Separated by spaces, commas or lines, out of its scopes. A client that asks for no scope gets these, where it may leave the scope out.",
  identifier:
    "An absolute URI, such as the address of the API. It is the audience of tokens and does not change later.",
  who_may_ask:
    "A registered app needs the scopes among its own allowed scopes, too. Any client includes clients that nobody registered here.",
  access_token_signing_alg: "Leave empty for RS256, which every library understands.",
  trailing_slash_alias: "For clients that add or leave out the slash at the end of the path.",
  api_active:
    "While switched off, it gets no new tokens, and introspection reports its tokens as inactive. A program that checks only signatures accepts them until they expire.",
  active: "Switching it off stops it everywhere and ends its tokens and sessions at once.",
  activates_in: "Others must have fetched the new key before it signs: 10 minutes is usual.",
  allowed_grants: "The ways in which the app may get tokens. Leave out those that it does not use.",
  allowed_response_types: "One per line. There is only code.",
  allowed_scopes: "Separated by spaces, commas or lines. The app can ask for these and for no others.",
  app_id: "The client ID, name or ID of the app.",
  app_type: "It decides which redirect URIs are allowed.",
  claims_in_id_token:
    "What the scopes profile and email give is in the ID token as well as at the user information endpoint.",
  client_assertion_audience:
    "Whom the aud of the app's own assertions may name. Choose the second only for a library that cannot send the issuer.",
  client_id: "Leave empty to generate one. You can't change it later.",
  created_by: "The e-mail, name or ID of the user.",
  new_created_by: "The e-mail, name or ID of the user. Leave empty to choose yourself.",
  current_password: "Needed when you change your own e-mail or password.",
  default_scopes:
    "Separated by spaces, commas or lines, out of the allowed scopes. A machine that asks for none gets these. Leave empty to give it all of them.",
  expire_others_in:
    "Meanwhile the old secrets work beside the new one; 0 ends them now. Leave empty to keep them.",
  expires_at: "In UTC. Leave empty for no expiry.",
  first_party: "People are not asked for consent. Only for apps of your own.",
  id: "Leave empty to generate one.",
  id_token_signed_response_alg: "Leave empty for RS256, which every library understands.",
  jwk: "A JSON object, in the place of the key in PEM.",
  jwks: 'A JSON object such as { "keys": [ … ] } with public keys of the app, 10 at most. Never a private key.',
  jwks_uri: "An https address where the app publishes its public keys, instead of the keys themselves.",
  key_id: "Leave empty to generate one. Assertions name the key by it.",
  logo_url: "An https address. Pages show the picture beside the name.",
  metadata: "Everything else as a JSON object of your own. The server reads resource and resources.",
  organization_id: "The name, short name or ID of the organization.",
  owner_id: "The e-mail, name or ID of the user.",
  new_owner_id: "The e-mail, name or ID of the user. Leave empty to choose yourself.",
  password: "8 characters or more.",
  new_password: "8 characters or more. Leave empty where the person signs in another way.",
  permissions: "In addition to those of the role.",
  granted_scopes: "Choose no more than the program needs.",
  post_logout_redirect_uris:
    "One per line, compared character by character. Only there do people return after signing out.",
  profile:
    "A set of rules that the app is held to. FAPI 2.0 needs an app that signs, with https redirect URIs.",
  public: "For apps that cannot keep a secret: in a browser, or on a device. PKCE protects them.",
  public_key_pem: "Leave empty to generate a pair. You see its private key once.",
  command_line_redirect_uris:
    "One per line. http://127.0.0.1/callback matches on any port; the program listens there while a person signs in.",
  native_redirect_uris:
    "One per line: com.example.app:/callback, or http://127.0.0.1/callback on any port. An https address is compared exactly.",
  own_scopes:
    "Separated by spaces, commas or lines. The scope api is only an example: name what the program may do, in your words.",
  redirect_uris:
    "One per line, compared character by character: https://shop.example/callback, and http://localhost:8080/callback while you develop. People return with a code to these addresses alone.",
  refresh_token_rotation:
    "Each use gives a new refresh token; a stolen one is detected when it is used twice.",
  refresh_token_ttl: "People have to sign in again after it: 7 days is usual.",
  require_pushed_authorization_requests:
    "Authorization requests of the app are refused unless it pushed them first (RFC 9126).",
  resources:
    "One per line: identifiers of APIs that list their apps. APIs open to registered apps need no line.",
  role: "One of owner, admin, developer and member, or a custom name, which grants nothing by itself.",
  scopes: "Separated by spaces, commas or lines.",
  secrets: "A JSON list of texts. Leave empty to generate one, unless the app is public.",
  service_account_id: "The e-mail, name or ID of the service account.",
  settings: "Everything else as a JSON object of your own.",
  slug: "Lower-case letters, digits and hyphens. It appears in addresses.",
  successor:
    "The e-mail, name or ID of the user who takes over the apps and service accounts of organizations.",
  token_endpoint_auth_method:
    "The only way in which the app may authenticate. Leave empty for a secret, or for none at a public app.",
  token_endpoint_auth_signing_alg:
    "Assertions signed by any other are refused. Leave empty to accept any that fits a key of the app.",
  user_id: "The e-mail, name or ID of the user.",
  value: "Leave empty to generate a secret. You see it once.",
};

export type FieldHelp = typeof fieldHelp;
