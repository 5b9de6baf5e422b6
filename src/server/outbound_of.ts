import type { Config } from "../config.ts";
import { createOutbound, type Outbound, type OutboundOptions } from "../outbound/outbound.ts";

export type OutboundSettings = Pick<Config, "outbound_allow" | "outbound_proxy" | "outbound_ca">;

export type OutboundLimits = Pick<OutboundOptions, "most_at_once" | "allow">;

export function outboundOf(
  { outbound_allow: allow, outbound_proxy: proxy, outbound_ca: ca }: OutboundSettings,
  more: OutboundLimits = {},
  create: (options: OutboundOptions) => Outbound = createOutbound,
): Outbound {
  return create({ allow, ...(proxy && { proxy }), ...(ca && { ca }), ...more });
}
