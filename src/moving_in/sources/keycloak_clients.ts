import { addClient, loseOrigins } from "../core/clients.ts";
import { type Members, membersOf } from "../core/members.ts";
import type { Sink } from "../core/moved.ts";

const ofKeycloak: ReadonlySet<string> = new Set([
  ...["account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console"],
]);

/**
 * Keycloak's built-in client scopes that apps of this server can have too. `openid` is missing, because it is
 * not a client scope in Keycloak.
 */
const known: ReadonlySet<string> = new Set(["profile", "email", "offline_access"]);
/** These built-in client scopes of Keycloak only hold claim mappers or permissions; they are not imported. */
const mapping: ReadonlySet<string> = new Set([
  ...["acr", "address", "basic", "microprofile-jwt", "organization", "phone", "role_list", "roles"],
  ...["saml_organization", "service_account", "web-origins"],
]);

const noWord = ["surrogateAuthRequired", "alwaysDisplayInConsole", "notBefore", "nodeReRegistrationTimeout"];

export function addKeycloakClient(value: unknown, sink: Sink): void {
  let object = "client ?";
  const client = membersOf(value, () => object, sink.lose);
  const client_id = client.text("clientId");
  object = `client ${client_id ?? client.text("id") ?? "?"}`;
  const lose = (member: string, reason: string) => sink.lose({ object, member, reason });
  if (client_id === undefined) {
    lose("", "the client is not imported: it has no clientId");
    return;
  }
  if (ofKeycloak.has(client_id)) {
    lose("", "the client is not imported: built into Keycloak");
    return;
  }
  const protocol = client.text("protocol") ?? "openid-connect";
  if (protocol !== "openid-connect") {
    lose("", `the client is not imported: its protocol is ${protocol}`);
    return;
  }
  if (client.flag("bearerOnly")) {
    lose(
      "",
      "the client is not imported: it only receives tokens, so create an API (postern resource create)",
    );
    return;
  }
  const attributes = client.members("attributes") ?? membersOf({}, object, sink.lose);
  const signs_in = client.flag("standardFlowEnabled") === true;
  const isMachine = client.flag("serviceAccountsEnabled") === true;
  const authenticator = client.text("clientAuthenticatorType") ?? "client-secret";
  const isPublic = client.flag("publicClient") === true;
  const root = client.text("rootUrl")?.replace(/\/$/, "") ?? "";
  const absolute = (uri: string) => (uri.startsWith("/") ? root + uri : uri);
  const scopes = [...client.texts("defaultClientScopes"), ...client.texts("optionalClientScopes")];
  const jwks_uri = authenticator === "client-jwt" && !isPublic ? attributes.text("jwks.url") : undefined;
  const pkce = attributes.text("pkce.code.challenge.method");
  const notice_url = attributes.text("backchannel.logout.url");
  addClient(
    {
      client_id,
      name: client.text("name"),
      description: client.text("description"),
      logo_url: attributes.text("logoUri"),
      public: isPublic,
      signs_in,
      requires_pkce: pkce !== undefined,
      redirect_uris: client.texts("redirectUris").map(absolute),
      post_logout_redirect_uris: logoutUris(attributes, client.texts("redirectUris")).map(absolute),
      grants: [
        ...(signs_in ? ["authorization_code", "refresh_token"] : []),
        ...(isMachine ? ["client_credentials"] : []),
        ...(client.flag("implicitFlowEnabled") ? ["implicit"] : []),
        ...(client.flag("directAccessGrantsEnabled") ? ["password"] : []),
      ],
      scopes: [
        ...(signs_in ? ["openid"] : []),
        ...scopes.filter(
          (scope) => (signs_in && known.has(scope)) || !(known.has(scope) || mapping.has(scope)),
        ),
      ],
      secret: client.text("secret"),
      jwks_uri,
      backchannel_logout_uri: notice_url && absolute(notice_url),
      backchannel_logout_session_required: attributes.flag("backchannel.logout.session.required"),
      active: client.flag("enabled", false),
      skips_consent: client.flag("consentRequired") !== true,
      access_token_ttl: attributes.number("access.token.lifespan"),
    },
    sink,
  );
  if (authenticator !== "client-secret" && jwks_uri === undefined)
    lose(
      `clientAuthenticatorType ${authenticator}`,
      "this client authentication is not supported: the secret is imported",
    );
  client.pass("id", "fullScopeAllowed", "access");
  loseOrigins(client.texts("webOrigins"), client.texts("redirectUris").map(absolute), lose);
  client.pass(...noWord);
  attributes.pass("realm_client", "client.secret.creation.time", "use.jwks.url", "jwks.url");
  if (attributes.flag("backchannel.logout.revoke.offline.tokens"))
    lose("backchannel.logout.revoke.offline.tokens", "not supported: offline access survives the session");
  if (pkce === "plain") lose("pkce.code.challenge.method", "plain is not supported: send PKCE with S256");
  attributes.pass("oauth2.device.authorization.grant.enabled");
  for (const each of client.list("protocolMappers")) {
    const mapper = membersOf(each, object, sink.lose, "protocolMappers");
    lose(
      `protocolMapper ${mapper.text("name") ?? "?"}`,
      "mappers are not supported: tokens have the claims of their scopes",
    );
  }
  attributes.end();
  client.end();
}

function logoutUris(attributes: Members, redirectUris: readonly string[]): readonly string[] {
  const uris = attributes.text("post.logout.redirect.uris")?.split("##") ?? [];
  return uris.flatMap((uri) => (uri === "+" ? redirectUris : uri === "-" ? [] : [uri]));
}
