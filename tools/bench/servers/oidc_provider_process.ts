/**
 * `oidc-provider` as a process: its configuration as JSON (OidcProviderInput) on standard input, the line
 * that says where it listens on standard output.
 *
 * The configuration is meant to be fair, which here means: nothing on that the scenarios do not use, and
 * nothing that the documentation advises against.
 * - One key for each algorithm of the scenarios, that of RSA with 2048 bits, as on the other side. The same
 *   clients with the same secrets, client_secret_basic, and id_tokens by the algorithm of the access token.
 * - Client credentials, introspection, revocation and resource indicators are on. What an access token looks
 *   like follows from the resource: a JWT of RFC 9068, which is signed and not stored, or an opaque one,
 *   which is stored and not signed. JWTs are what Postern issues; opaque tokens are what this server is
 *   willing to introspect and revoke.
 * - The web client gets refresh tokens without asking for `offline_access`, and each is rotated when it is
 *   used. As on the other side they end with the session, which is this server's default.
 * - Consent is not asked, as its recipe for first-party clients does it: a grant is made when the session has
 *   none. The user to sign in is in `login_hint`, and the interaction ends immediately; sessions last longer
 *   than a run.
 * - Everything is stored in a Map of this process, which a restart forgets, or in PostgreSQL
 *   (postgres_adapter.ts).
 * - The development interactions, which are on by default, are off, and so are userinfo and logout. No
 *   middleware, no log, no proxy; `node:http` with its defaults and NODE_ENV=production.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import {
  type AdapterFactory,
  type ClientMetadata,
  type Configuration,
  type JWK,
  Provider,
} from "oidc-provider";
import { algorithms } from "../algorithms.ts";
import { mapAdapter } from "./map_adapter.ts";
import type { OidcProviderInput } from "./oidc_provider.ts";
import { postgresAdapter } from "./postgres_adapter.ts";

function configure(input: OidcProviderInput, adapter: AdapterFactory): Configuration {
  const { client, introspector, web_clients, scope, access_token_ttl, jwt_resources, opaque_resource } =
    input;
  const algorithmOf = new Map(algorithms.map((algorithm) => [jwt_resources[algorithm], algorithm]));
  const token_endpoint_auth_method = "client_secret_basic";
  return {
    adapter,
    jwks: { keys: input.signing_keys as JWK[] },
    cookies: { keys: [input.cookie_key] },
    clients: [
      {
        ...client,
        grant_types: ["client_credentials"],
        response_types: [],
        redirect_uris: [],
        scope,
        token_endpoint_auth_method,
      },
      { ...introspector, grant_types: [], response_types: [], redirect_uris: [], token_endpoint_auth_method },
      ...algorithms.map(
        (id_token_signed_response_alg): ClientMetadata => ({
          ...web_clients[id_token_signed_response_alg],
          id_token_signed_response_alg,
          grant_types: ["authorization_code", "refresh_token"],
          response_types: ["code"],
          redirect_uris: [input.redirect_uri],
          scope: `openid ${scope}`,
          token_endpoint_auth_method,
        }),
      ),
    ],
    scopes: ["openid", scope],
    ttl: {
      AuthorizationCode: 60,
      ClientCredentials: access_token_ttl,
      Grant: 604_800,
      IdToken: 3600,
      Interaction: 3600,
      RefreshToken: 604_800,
      Session: 604_800,
    },
    issueRefreshToken: async (_, { grantTypes }) => grantTypes?.includes("refresh_token") === true,
    rotateRefreshToken: true,
    findAccount: async (_, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const { session, client, provider } = oidc;
      if (client === undefined || session?.accountId === undefined) return undefined;
      const grantId = oidc.result?.consent?.grantId ?? session.grantIdFor(client.clientId);
      if (grantId !== undefined) return provider.Grant.find(grantId);
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope(`openid ${scope}`);
      for (const resource of Object.values(jwt_resources)) grant.addResourceScope(resource, scope);
      await grant.save();
      return grant;
    },
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => {
          const alg = algorithmOf.get(resource);
          if (alg === undefined && resource !== opaque_resource) throw new Error("unknown resource");
          return {
            scope,
            audience: resource,
            accessTokenTTL: access_token_ttl,
            accessTokenFormat: alg === undefined ? "opaque" : "jwt",
            jwt: { sign: { alg: alg ?? "RS256" } },
          };
        },
      },
      devInteractions: { enabled: false },
      userinfo: { enabled: false },
      rpInitiatedLogout: { enabled: false },
    },
  };
}

const input = JSON.parse(await text(process.stdin)) as OidcProviderInput;
// The issuer contains the port, so the server listens first and is configured then.
const server = createServer().listen(0, "127.0.0.1");
await once(server, "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const { adapter, close } =
  input.postgres_url === undefined
    ? { adapter: mapAdapter(Date.now), close: async () => {} }
    : postgresAdapter(input.postgres_url);
const provider = new Provider(url, configure(input, adapter));
provider.on("server_error", (_, error) => process.stderr.write(`${error.stack}\n`));
const answer = provider.callback();
server.on("request", async (request, response) => {
  if (!request.url?.startsWith("/interaction/")) return answer(request, response);
  try {
    const { params } = await provider.interactionDetails(request, response);
    await provider.interactionFinished(request, response, {
      login: { accountId: String(params.login_hint) },
    });
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
process.stdout.write(`${JSON.stringify({ msg: "listening", url })}\n`);
process.once("SIGTERM", () => {
  server.close(() => close());
  server.closeAllConnections();
});
