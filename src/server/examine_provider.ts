/** Checks, for an operator's command, whether users can sign in through an external provider (EP-20). */
import { baseUrlOf } from "../config/base_url.ts";
import type { Config } from "../config.ts";
import type { Sealer } from "../crypto/sealing.ts";
import { lookAtProvider } from "../people/providers/look_at_provider.ts";
import type { ProviderFinding } from "../providers/check_provider.ts";
import { upstreamClient } from "../providers/upstream_client.ts";
import type { Provider } from "../records/definition/definition.ts";
import { reachOf } from "../records/rules/outbound_reach.ts";
import { type OutboundSettings, outboundOf, within } from "./outbound_of.ts";

/** Fetches the provider's metadata and returns the problems and warnings that it reveals. */
export async function examineProvider(
  provider: Provider,
  config: Pick<Config, "base_url" | "port"> & OutboundSettings,
  { sealer, now }: { readonly sealer: Sealer; readonly now: () => Date },
): Promise<readonly ProviderFinding[]> {
  const client = upstreamClient({ outbound: outboundOf(config, within(reachOf(provider))), now });
  return lookAtProvider(provider, { issuer: baseUrlOf(config, config.port), sealer, client });
}
