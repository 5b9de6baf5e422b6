import type { Sealer } from "../../crypto/sealing.ts";
import { revokeUpstream } from "../../providers/kept_tokens.ts";
import { beginUpstream, finishUpstream } from "../../providers/upstream.ts";
import type { UpstreamLeg } from "../../providers/upstream_leg.ts";
import type { ProviderLeg } from "../core/context/provider_leg.ts";
import { providerSettings } from "./provider_settings.ts";

/** The protocol with external providers, with the secrets of the records. */
export function providerLeg(upstream: UpstreamLeg, sealer: Sealer): ProviderLeg {
  return {
    begin: async (provider, request) => beginUpstream(providerSettings(provider, sealer), request, upstream),
    finish: async (provider, answer, expected) =>
      finishUpstream(providerSettings(provider, sealer), answer, expected, upstream),
    revoke: async (provider, tokens) => revokeUpstream(providerSettings(provider, sealer), tokens, upstream),
  };
}
