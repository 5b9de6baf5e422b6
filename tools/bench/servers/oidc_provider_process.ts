/**
 * `oidc-provider` as a process: its configuration as JSON (OidcProviderInput) on standard input, and the line
 * with its address on standard output.
 *
 * The configuration is meant to be fair. It enables only what the scenarios use, and nothing that the
 * documentation of `oidc-provider` advises against.
 * - As in Postern, each algorithm of the scenarios has one key, and the RSA key has 2048 bits. The clients,
 *   their secrets and client_secret_basic are the same. id_tokens have the algorithm of the access token.
 * - Client credentials, introspection, revocation and resource indicators are enabled. The resource
 *   determines the format of access tokens: a JWT (RFC 9068) is signed and not stored, and an opaque token is
 *   stored and not signed. Postern issues JWTs; `oidc-provider` introspects and revokes only opaque tokens.
 * - The web client gets refresh tokens without the scope `offline_access`. Each use rotates the token. The
 *   tokens end with the session, as in Postern and by default in `oidc-provider`.
 * - Users need not consent, as in the documented recipe for first-party clients: if the session has no grant,
 *   one is created. `login_hint` names the user who signs in, and the interaction ends immediately. Sessions
 *   last longer than a run.
 * - Data is stored in a Map of this process, which a restart empties, or in PostgreSQL (postgres_adapter.ts).
 * - The development interactions, which are on by default, are off, and so are userinfo and logout. There is
 *   no middleware, log or proxy. `node:http` has its defaults, and NODE_ENV is `production`.
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
