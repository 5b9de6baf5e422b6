import { offersFeature } from "../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { type Deliverer, mostDeliveries } from "../oauth/deliveries/deliver.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Outbound, OutboundOptions } from "../outbound/outbound.ts";

/** What sends the outbox of this server; undefined where no setting asks for it. */
export function delivererOf(
  server: AuthorizationServer,
  outbound: (most_at_once: number, more?: Pick<OutboundOptions, "allow">) => Outbound,
  metrics: Pick<Metrics, "count">,
): Deliverer | undefined {
  if (!offersFeature(server, "logout_notices")) return undefined;
  return {
    server,
    outbound: { public: outbound(mostDeliveries, { allow: [] }), internal: outbound(mostDeliveries) },
    onOutcome: (kind, outcome) => metrics.count("postern_deliveries_total", { kind, outcome }),
  };
}
