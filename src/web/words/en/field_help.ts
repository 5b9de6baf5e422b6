import { memberHelp } from "./member_fields.ts";
import { providerHelp } from "./provider_fields.ts";

export const fieldHelp = {
  ...providerHelp,
  ...memberHelp,
  access_token_ttl: "Short lifetimes limit the damage of a stolen token: 15 minutes is usual.",
  app_ids:
    "One per line: client IDs, names or IDs of apps. These apps can introspect tokens for the API. If they request a token without a resource, it is for the API.",
  api_scopes:
    "One per line, with its description after an equals sign: orders:read = See your orders. Descriptions in other languages are preserved.",
  api_default_scopes:
    "Scopes of this API, separated by spaces, commas or lines. A client that requests no scope gets these, if it may omit the scope.",
  identifier:
    "An absolute URI, such as the address of the API. The URI is the audience of tokens and cannot be changed later.",
  identifier_in_organization:
    "Begins with urn:postern:organization: and the ID of the organization, or with the identifier of one of its APIs. It is the audience of tokens and cannot be changed later.",
  who_may_ask:
    "A registered app also needs the scopes in its own allowed scopes. “Any client” includes clients that are not registered here.",
  access_token_signing_alg: "Leave empty for RS256, which every library understands.",
  sign_in_claims:
    "Access tokens and introspection contain acr, amr and auth_time if every API of the token has this setting.",
  trailing_slash_alias: "For clients that add or omit the slash at the end of the path.",
  api_active:
    "While the API is switched off, no tokens are issued for it, and introspection reports its tokens as inactive. Programs that only check signatures accept these tokens until they expire.",
  endpoint_active:
    "A deactivated endpoint receives no events. Its page asks where to continue when it is reactivated.",
  active: "Switching the record off disables it everywhere and revokes its tokens and sessions immediately.",
  activates_in: "Clients and APIs must have fetched the new key before it signs: 10 minutes is usual.",
  allowed_grants: "How the app may get tokens. Choose only the grants that it uses.",
  allowed_response_types: "One per line. Only code is supported.",
  allowed_scopes: "Separated by spaces, commas or lines. The app can request only these.",
  app_id: "The client ID, name or ID of the app.",
  app_type: "The kind determines which redirect URIs are allowed.",
  claims_in_id_token:
    "Adds the claims of the scopes profile and email to the ID token. The user information endpoint always returns them.",
  client_assertion_audience:
    "The accepted aud of the app's assertions. Choose the second option only for a library that cannot send the issuer.",
  client_id: "Leave empty to generate one. You can't change it later.",
  created_by: "The email, name or ID of the user.",
  new_created_by: "The email, name or ID of the user. Leave empty to choose yourself.",
  current_password: "Needed when you change your own email or password.",
  default_scopes:
    "Allowed scopes, separated by spaces, commas or lines. A machine that requests no scope gets these. Leave empty to grant it all allowed scopes.",
  expire_others_in:
    "The old secrets work for this time along with the new one; 0 revokes them now. Leave empty to keep them.",
  expires_at: "In UTC. Leave empty for no expiry.",
  first_party: "Users are not asked for consent. Choose this only for your own apps.",
  id: "Leave empty to generate one.",
  id_token_signed_response_alg: "Leave empty for RS256, which every library understands.",
  jwk: "A JSON object, instead of the key in PEM.",
  jwks: 'A JSON object such as { "keys": [ … ] } with up to 10 public keys of the app. Never enter a private key.',
  jwks_uri: "An https address where the app publishes its public keys, instead of the keys themselves.",
  key_id: "Leave empty to generate one. Assertions refer to the key by this ID.",
  logo_url: "An https address. Pages show the picture next to the name.",
  metadata:
    "Additional fields, as a JSON object. The server reads only resource, resources, refresh_reuse_window and scope_descriptions.",
  organization_id: "The name, slug or ID of the organization.",
  key_organization_id: "The name, slug or ID of the organization. Leave empty for a key of your own.",
  owner_id: "The email, name or ID of the user.",
  new_owner_id: "The email, name or ID of the user. Leave empty to choose yourself.",
  new_who_may_sign_in:
    "If you choose nothing, an app of an organization is for its members, and any other app for every user.",
  password: "Choose a long password that is hard to guess.",
  new_password: "Leave empty if the user signs in another way.",
  permissions: "Permissions in addition to those of the role.",
  granted_scopes: "Choose no more than the program needs.",
  post_logout_redirect_uris:
    "One per line, compared character by character. After signing out, users can return only to these.",
  plan: "The subscription tier, for your own billing. Nothing on this server depends on it.",
  profile:
    "A set of rules that is enforced on the app. FAPI 2.0 needs an app that authenticates with a key and has https redirect URIs.",
  public: "For apps that cannot keep a secret: in a browser, or on a device. PKCE protects them.",
  public_key_pem: "Leave empty to generate a pair. Its private key is shown once.",
  command_line_redirect_uris:
    "One per line. http://127.0.0.1/callback matches on any port; the program listens there while a user signs in.",
  native_redirect_uris:
    "One per line: com.example.app:/callback, or http://127.0.0.1/callback on any port. An https address is compared exactly.",
  own_scopes:
    "Separated by spaces, commas or lines. The scope api is only an example: name the permissions of the program in your own terms.",
  redirect_uris:
    "One per line, compared character by character: https://shop.example/callback, and http://localhost:8080/callback while you develop. Authorization codes are sent only to these addresses.",
  refresh_token_rotation:
    "Each use returns a new refresh token; a stolen one is detected when it is used twice.",
  refresh_token_ttl: "After this time users must sign in again: 7 days is usual.",
  require_pushed_authorization_requests:
    "The app must push its authorization requests first (RFC 9126). Other requests are refused.",
  resources:
    "One per line: identifiers of APIs that give tokens only to apps that list them. APIs that are open to registered apps need no entry.",
  role: "Assign custom roles as additional roles.",
  scopes: "Separated by spaces, commas or lines.",
  secrets: "A JSON list of strings. Leave empty to generate one, unless the app is public.",
  service_account_id: "The email, name or ID of the service account.",
  settings: "Additional fields, as a JSON object.",
  slug: "Lowercase letters, digits and hyphens. It appears in addresses.",
  successor:
    "The email, name or ID of the user who takes over the apps and service accounts of organizations.",
  token_endpoint_auth_method:
    "The only method by which the app may authenticate. Leave empty for a secret, or for none if the app is public.",
  token_endpoint_auth_signing_alg:
    "Assertions signed with any other algorithm are refused. Leave empty to accept every algorithm that fits a key of the app.",
  group_id: "The name or ID of the group.",
  user_id: "The email, name or ID of the user.",
  value: "Leave empty to generate a secret. It is shown once.",
  role_ids: "Roles of the organization or the server, by name or ID, one per line.",
  offered_role_ids: "Roles of the organization and of the server.",
  app_role_ids: "Roles at APIs, by ID or as API and name, one per line: https://orders.example#clerk.",
  offered_app_role_ids: "Roles at APIs, each as API and name.",
  role_permissions:
    "Permissions that your application defines, one per line, such as orders:edit. Tokens contain them.",
  organization_mode:
    "With the last two options, the organization is the one that the request names, the user’s only one, or the one that the user chooses. The last option refuses users without an organization.",
  claims_dialect:
    "Adds the claims about organization, roles and groups that libraries of that product expect.",
  claims:
    'A JSON object of claims and where they appear, such as { "roles": ["access_token", "introspection"] }. Membership claims that it omits appear everywhere; attributes that it omits appear nowhere.',
  api_claims:
    'A JSON object that restricts where claims appear for this API, such as { "roles": ["introspection"] }. Claims that it omits are not restricted.',
  who_may_sign_in:
    "Members are those of the app’s own organization, or of any active organization if the app has none.",
  sign_in_roles: "Names, one per line, built-in roles included. Used only if a role is required to sign in.",
  sign_in_groups: "Display names, one per line. Used only if a group is required to sign in.",
  attribute_name:
    "Lowercase letters, digits and underscores. The ready-made names are preferred_username, given_name, family_name, locale and zoneinfo. You can't change it later.",
  attribute_label: "The label in forms. Leave empty to show the name.",
  attribute_organization_id: "Leave empty for an attribute of the whole server.",
  pattern:
    "A pattern that the whole value must match, such as [A-Z]{2}[0-9]{4}. In a list, each entry must match it.",
  max: "The most characters of a text, the most entries of a list, or the greatest number.",
  writers: "Users write only their own values; administrators write those of records that they may change.",
  readers_in_organization: "Users read only their own values.",
  readers: "Users read only their own values. Platform administrators read all values.",
  claim: "Apps and APIs still choose whether and where it appears. Leave empty to keep it out of tokens.",
  attribute_scopes: "Any one of these scopes releases the claim. Separated by spaces, commas or lines.",
  role_organization_id: "Leave empty for a role that every organization can assign.",
  descriptions: 'A JSON object by language, such as { "de": "Bearbeitet Bestellungen" }.',
  app_role_scopes: "Scopes of the API that the role grants. Separated by spaces, commas or lines.",
  role_bound: "Users get only the scopes of their app roles.",
  external_id: "The identifier that a directory or an import gave the group.",
  url: "An https address of your program, which must respond to each event with a 2xx status.",
  types: "Choose none to receive all types.",
  endpoint_organization_id: "Leave empty to receive the events of the whole server.",
  include:
    "The user, organization or app of the event, as the API shows it to the endpoint's owner when the event is sent, up to 20 kB.",
  internal: "Allows the addresses in POSTERN_OUTBOUND_ALLOW, and http.",
  backchannel_logout_uri:
    "An https address of the app. It receives a signed logout token when a session ends.",
  require_pkce: "Refuses authorization requests without a code challenge. Public apps always need one.",
  session_expiry_in_id_token:
    "Adds the claim session_expiry, so the app can end its own session when this one ends.",
  email_as_username: "For users without the attribute preferred_username.",
  hash: "The hash of a secret in place of the secret itself, to move an app here from another system.",
};

export type FieldHelp = typeof fieldHelp;
