/** The protocol with external providers, as sign-in uses it; a test puts a script in its place. */
import type { Sealer } from "../../crypto/sealing.ts";
import { type RevocableTokens, revokeUpstream } from "../../providers/kept_tokens.ts";
import {
  beginUpstream,
  type ExpectedAnswer,
  finishUpstream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from "../../providers/upstream.ts";
import type { UpstreamIdentity } from "../../providers/upstream_identity.ts";
import type { UpstreamLeg } from "../../providers/upstream_leg.ts";
import type { Provider } from "./provider_account.ts";
import { providerSettings } from "./provider_settings.ts";

export interface ProviderLeg {
  /** The address to which the browser goes. Throws `UpstreamFault`. */
  begin(provider: Provider, request: UpstreamRequest): Promise<string>;
  /** Who came back. Throws `UpstreamFault`, of kind `cancelled` where the person turned back. */
  finish(provider: Provider, answer: UpstreamAnswer, expected: ExpectedAnswer): Promise<UpstreamIdentity>;
  /** Ends tokens there; false where the provider offers no way to. Throws `UpstreamFault`. */
  revoke(provider: Provider, tokens: RevocableTokens): Promise<boolean>;
}

/** The protocol itself, with the secrets of the records. */
export function providerLeg(upstream: UpstreamLeg, sealer: Sealer): ProviderLeg {
  return {
    begin: async (provider, request) => beginUpstream(providerSettings(provider, sealer), request, upstream),
    finish: async (provider, answer, expected) =>
      finishUpstream(providerSettings(provider, sealer), answer, expected, upstream),
    revoke: async (provider, tokens) => revokeUpstream(providerSettings(provider, sealer), tokens, upstream),
  };
}
