import type { Sealer } from "../../crypto/sealing.ts";
import { verifyLogoutToken } from "../../providers/logout_token.ts";
import { revokeUpstream } from "../../providers/stored_tokens.ts";
import { beginUpstream, finishUpstream } from "../../providers/upstream.ts";
import type { UpstreamClient } from "../../providers/upstream_client.ts";
import { type Reach, reachOf } from "../../records/rules/outbound_reach.ts";
import type { ProviderClient } from "../core/context/provider_client.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { providerSettings } from "./provider_settings.ts";

/** Returns the client that exchanges messages with external providers. */
export function providerClient(
  upstream: Readonly<Record<Reach, UpstreamClient>>,
  sealer: Sealer,
): ProviderClient {
  const clientFor = (provider: Provider) => upstream[reachOf(provider)];
  return {
    begin: async (provider, request) =>
      beginUpstream(providerSettings(provider, sealer), request, clientFor(provider)),
    finish: async (provider, answer, expected) =>
      finishUpstream(providerSettings(provider, sealer), answer, expected, clientFor(provider)),
    readLogout: async (provider, token) =>
      verifyLogoutToken(token, providerSettings(provider, sealer), clientFor(provider)),
    revoke: async (provider, tokens) =>
      revokeUpstream(providerSettings(provider, sealer), tokens, clientFor(provider)),
  };
}
