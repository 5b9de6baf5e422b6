import type { Sealer } from "../../crypto/sealing.ts";
import { verifyLogoutToken } from "../../providers/logout_token.ts";
import { revokeUpstream } from "../../providers/stored_tokens.ts";
import { beginUpstream, finishUpstream } from "../../providers/upstream.ts";
import type { UpstreamClient } from "../../providers/upstream_client.ts";
import type { ProviderClient } from "../core/context/provider_client.ts";
import { providerSettings } from "./provider_settings.ts";

/** Returns the provider protocol, using the secrets stored in the records. */
export function providerClient(upstream: UpstreamClient, sealer: Sealer): ProviderClient {
  return {
    begin: async (provider, request) => beginUpstream(providerSettings(provider, sealer), request, upstream),
    finish: async (provider, answer, expected) =>
      finishUpstream(providerSettings(provider, sealer), answer, expected, upstream),
    readLogout: async (provider, token) =>
      verifyLogoutToken(token, providerSettings(provider, sealer), upstream),
    revoke: async (provider, tokens) => revokeUpstream(providerSettings(provider, sealer), tokens, upstream),
  };
}
