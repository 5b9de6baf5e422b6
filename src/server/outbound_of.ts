import { hostOf, isLoopbackName } from "../config/loopback.ts";
import type { Config } from "../config.ts";
import { createOutbound, type Outbound, type OutboundOptions } from "../outbound/outbound.ts";
import type { Reach } from "../records/rules/outbound_reach.ts";

export type OutboundSettings = Pick<Config, "outbound_allow" | "outbound_proxy" | "outbound_ca">;

export type OutboundLimits = Pick<OutboundOptions, "most_at_once" | "allow">;

/**
 * Returns limits for outbound requests. `public` forbids all private IP addresses; `internal` applies the
 * operator's settings.
 */
export const within = (reach: Reach): OutboundLimits => (reach === "public" ? { allow: [] } : {});

/**
 * Returns the reach of requests for clients that no administrator created: `public`, because anyone can
 * choose their URLs, except in development.
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
