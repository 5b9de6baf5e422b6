/** Checks whether users can sign in through an external provider (EP-20). */
import { isIP } from "node:net";
import { baseUrlOf } from "../config/base_url.ts";
import type { Config } from "../config.ts";
import type { Sealer } from "../crypto/sealing.ts";
import { resolveHost } from "../outbound/outbound.ts";
import { lookAtProvider } from "../people/providers/look_at_provider.ts";
import type { ProviderFinding } from "../providers/check_provider.ts";
import { upstreamClient } from "../providers/upstream_client.ts";
import type { Provider } from "../records/definition/definition.ts";
import { addressBlocks, isPublicAddress, isWithin } from "../records/names/public_addresses.ts";
import { noAllowedAddress, reachOf } from "../records/rules/outbound_reach.ts";
import { type OutboundSettings, outboundOf, within } from "./outbound_of.ts";

/** `advice` says how to permit a private address, which organizations must not learn. */
export interface OperatorFinding extends ProviderFinding {
  readonly advice?: string;
}

/** Returns the problems and warnings that the provider's metadata reveals. */
export async function examineProvider(
  provider: Provider,
  config: Pick<Config, "base_url" | "port" | "mail"> & OutboundSettings,
  { sealer, now }: { readonly sealer: Sealer; readonly now: () => Date },
): Promise<readonly OperatorFinding[]> {
  const client = upstreamClient({ outbound: outboundOf(config, within(reachOf(provider))), now });
  const issuer = baseUrlOf(config, config.port);
  const sends_mail = config.mail !== undefined;
  const findings = await lookAtProvider(provider, { issuer, sealer, client, sends_mail });
  return Promise.all(
    findings.map(async (finding) => {
      const advice = await adviceOn(finding, provider, config);
      return advice === undefined ? finding : { ...finding, advice };
    }),
  );
}

const refusedHost = new RegExp(`^(.+): (?:${noAllowedAddress}|internal_address)$`);

async function adviceOn(
  { ok, received = "" }: ProviderFinding,
  provider: Provider,
  { outbound_allow }: OutboundSettings,
): Promise<string | undefined> {
  const [, host] = refusedHost.exec(received) ?? [];
  if (ok || host === undefined) return undefined;
  const { hostname = "" } = URL.parse(`https://${host}`) ?? {};
  const literal = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(literal) === 0 ? await resolveHost(hostname) : [literal];
  const inside = addresses.filter((address) => !isPublicAddress(address));
  if (inside.length === 0) return `${hostname} has no address`;
  const allowed = addressBlocks(outbound_allow);
  const missing = inside.filter((address) => !isWithin(allowed, address));
  const steps = [
    ...(missing.length > 0 ? [`add ${missing.join(", ")} to POSTERN_OUTBOUND_ALLOW`] : []),
    ...(reachOf(provider) === "public" ? [`run postern provider update ${provider.slug} --internal`] : []),
  ];
  return `${inside.join(", ")} is not a public address: ${steps.join(" and ")}`;
}
