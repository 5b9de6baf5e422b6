/**
 * `oidc-provider` as a process: its configuration as JSON (OidcProviderInput) on standard input, the line that says where
 * it listens on standard output.
 *
 * The configuration is meant to be fair, which here means: nothing on that the scenarios do not use, and nothing that the
 * documentation advises against.
 * - One 2048-bit RSA key, RS256, as on the other side. The same two clients with the same secrets, client_secret_basic.
 * - Client credentials, introspection and resource indicators are on. What an access token looks like follows from the
 *   resource: a JWT of RFC 9068, which is signed and not stored, or an opaque one, which is stored and not signed. JWTs
 *   are what Postern issues; opaque tokens are what this server is willing to introspect.
 * - The development interactions, which are on by default, are off, and so are userinfo, revocation and logout.
 * - Everything is stored in a Map of this process: nothing is written to disk, and a restart forgets it.
 * - No middleware, no log, no proxy; `node:http` with its defaults and NODE_ENV=production.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Configuration, type JWK, Provider } from "oidc-provider";
import { mapAdapter } from "./map_adapter.ts";
import type { OidcProviderInput } from "./oidc_provider.ts";

function configure(input: OidcProviderInput): Configuration {
  const { client, introspector, scope, access_token_ttl, jwt_resource, opaque_resource } = input;
  return {
    adapter: mapAdapter(Date.now),
    jwks: { keys: [{ ...input.signing_key, use: "sig", alg: "RS256" } as JWK] },
    cookies: { keys: ["no cookie is set by what is measured"] },
    clients: [
      {
        ...client,
        grant_types: ["client_credentials"],
        response_types: [],
        redirect_uris: [],
        scope,
        token_endpoint_auth_method: "client_secret_basic",
      },
      {
        ...introspector,
        grant_types: [],
        response_types: [],
        redirect_uris: [],
        token_endpoint_auth_method: "client_secret_basic",
      },
    ],
    scopes: [scope],
    ttl: { ClientCredentials: access_token_ttl },
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, resource) => {
          if (resource !== jwt_resource && resource !== opaque_resource) throw new Error("unknown resource");
          return {
            scope,
            audience: resource,
            accessTokenTTL: access_token_ttl,
            accessTokenFormat: resource === jwt_resource ? "jwt" : "opaque",
            jwt: { sign: { alg: "RS256" } },
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
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  // The issuer holds the port, so it is known only now.
  const url = `http://127.0.0.1:${port}`;
  server.on("request", new Provider(url, configure(input)).callback());
  process.stdout.write(`${JSON.stringify({ msg: "listening", url })}\n`);
});
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
