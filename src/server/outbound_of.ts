import { hostOf, isLoopbackName } from "../config/loopback.ts";
import type { Config } from "../config.ts";
import { createOutbound, type Outbound, type OutboundOptions } from "../outbound/outbound.ts";
import type { Reach } from "../records/rules/outbound_reach.ts";

export type OutboundSettings = Pick<Config, "outbound_allow" | "outbound_proxy" | "outbound_ca">;

export type OutboundLimits = Pick<OutboundOptions, "most_at_once" | "allow">;

/**
 * Returns the limits of outbound requests with this reach. With `public`, no private IP address is allowed.
 */
export const within = (reach: Reach): OutboundLimits => (reach === "public" ? { allow: [] } : {});

/**
 * Returns what requests for open clients may reach. Anyone chooses their URLs, so private IP addresses are
 * allowed only in development, on a server with a loopback base URL.
 */
export const reachOfOpenClients = (base_url = "http://localhost"): Reach =>
  isLoopbackName(hostOf(base_url)) ? "internal" : "public";

export function outboundOf(
  { outbound_allow: allow, outbound_proxy: proxy, outbound_ca: ca }: OutboundSettings,
  more: OutboundLimits = {},
  create: (options: OutboundOptions) => Outbound = createOutbound,
): Outbound {
  return create({ allow, ...(proxy && { proxy }), ...(ca && { ca }), ...more });
}
