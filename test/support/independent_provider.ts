/** `oidc-provider` on loopback: an independent OpenID provider, whose form is submitted automatically. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair } from "jose";
import { type Configuration, type JWK, Provider } from "oidc-provider";
import type { ProviderSettings } from "../../src/providers/presets/provider_settings.ts";
import type { UpstreamAnswer } from "../../src/providers/upstream.ts";
import { mapAdapter } from "../../tools/bench/servers/map_adapter.ts";
import { providerSettings } from "./provider_settings.ts";

export interface IndependentProvider {
  readonly settings: ProviderSettings;
  /** Whether the user cancels the next sign-in. */
  turns_back: boolean;
  /** Follows the redirects of a browser, with its cookies, up to the callback. */
  visit(url: string): Promise<UpstreamAnswer>;
  close(): Promise<void>;
}

/**
 * Starts a provider with a single client, whose callback is `redirect_uri`. With `pages` it shows its own
 * pages of sign-in and consent, and accepts any user name; otherwise it approves every request at once.
 */
export async function independentProvider(
  redirect_uri: string,
  { pages = false } = {},
): Promise<IndependentProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = providerSettings("oidc", { issuer, client_secret: "a secret: of & many + signs" });
  const signer = {
    ...(await exportJWK((await generateKeyPair("ES256", { extractable: true })).privateKey)),
    alg: "ES256",
  };
  const person = (sub: string) => ({
    ...{ sub, email: `${sub}@firm.example` },
    ...{ email_verified: true, name: "Ann Ax" },
  });
  const configuration: Configuration = {
    jwks: { keys: [{ ...signer, use: "sig" } as JWK] },
    cookies: { keys: ["a key of cookies in a test"] },
    clients: [
      {
        client_id: settings.client_id,
        client_secret: settings.client_secret ?? "",
        redirect_uris: [redirect_uri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    adapter: mapAdapter(Date.now),
    ttl: { Grant: 600, Interaction: 600, Session: 600, AccessToken: 600, RefreshToken: 600, IdToken: 600 },
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    findAccount: async (_, accountId) => ({ accountId, claims: async () => person(accountId) }),
    ...(!pages && { interactions: { url: (_, { uid }) => `/interaction/${uid}` } }),
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    ...(!pages && { loadExistingGrant }),
    features: {
      devInteractions: { enabled: pages },
      revocation: { enabled: true, allowedPolicy: async () => true },
    },
  };
  const provider = new Provider(issuer, configuration);
  const answer = provider.callback();
  const state = { turns_back: false };
  server.on("request", (request, response) => {
    if (pages || !request.url?.startsWith("/interaction/")) return void answer(request, response);
    const result = state.turns_back ? { error: "access_denied" } : { login: { accountId: "ann" } };
    provider
      .interactionFinished(request, response, result)
      .catch((error) => response.writeHead(500).end(String(error)));
  });

  return Object.assign(state, {
    settings,
    async visit(url: string): Promise<UpstreamAnswer> {
      const jar = new Map<string, string>();
      let at = url;
      for (let steps = 0; steps < 10 && !at.startsWith(redirect_uri); steps += 1) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
        const { headers } = await fetch(at, { redirect: "manual", headers: { cookie } });
        for (const set of headers.getSetCookie()) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
          jar.set(name, value);
        }
        at = new URL(headers.get("location") ?? "about:blank", at).href;
      }
      return Object.fromEntries(new URL(at).searchParams);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  });
}

/** Grants everything that a client requests. */
const loadExistingGrant: Configuration["loadExistingGrant"] = async ({
  oidc: { client, session, provider },
}) => {
  if (client === undefined || session?.accountId === undefined) return undefined;
  const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
  grant.addOIDCScope("openid email profile");
  await grant.save();
  return grant;
};
