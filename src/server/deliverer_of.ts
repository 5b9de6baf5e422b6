import type { ManagementStore } from "../admin/access/actor.ts";
import { recordForWebhook } from "../admin/records/webhook_record.ts";
import { offersFeature } from "../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { type Deliverer, mostDeliveries } from "../oauth/deliveries/deliver.ts";
import type { Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { OnDisabled } from "../storage/operation/webhooks.ts";
import { failuresOf } from "./background.ts";
import type { OutboundLimits } from "./outbound_of.ts";

/** Returns the dependencies of `deliveriesOf`; undefined if no enabled feature queues deliveries. */
export function delivererOf(
  server: AuthorizationServer,
  store: ManagementStore,
  outbound: (limits: OutboundLimits) => Outbound,
  metrics: Pick<Metrics, "count">,
  log: Log,
  onDisabled?: OnDisabled,
): Deliverer | undefined {
  if (!(["logout_notices", "ssf", "events"] as const).some((feature) => offersFeature(server, feature)))
    return undefined;
  const most_at_once = mostDeliveries;
  return {
    server,
    recordFor: (endpoint, event) => recordForWebhook(store, endpoint, event),
    ...(onDisabled && { onDisabled }),
    outbound: { public: outbound({ most_at_once, allow: [] }), internal: outbound({ most_at_once }) },
    onError: failuresOf("a delivery", log).failed,
    onOutcome: (kind, outcome) => metrics.count("postern_deliveries_total", { kind, outcome }),
  };
}
