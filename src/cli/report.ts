import type { SecurityEvent } from "../oauth/server.ts";
import type { Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import type { Store } from "../storage/store.ts";

/** Events that happen with every request: counted and logged, but no audit event each. */
const frequent: ReadonlySet<SecurityEvent["type"]> = new Set(["token_issued", "introspection"]);

/** What every security event becomes: a log line, a metric, and an audit event (requirements H-8). */
export function reporter({
  store,
  log,
  metrics,
  now,
}: {
  store: Store;
  log: Log;
  metrics: Metrics;
  now: () => Date;
}) {
  return (event: SecurityEvent): void => {
    const { type, outcome, actor, target, organization_id, requester, details = {}, cause } = event;
    measure(event, metrics);
    const fields = {
      event: type,
      outcome,
      actor,
      ...(target && { target }),
      request_id: requester.request_id,
      details,
    };
    if (type === "revocation_failed" && details.error === "server_error") {
      log.error({ ...fields, err: cause }, "a revocation could not be carried out");
    } else if (frequent.has(type)) log.debug(fields, "security event");
    else log.info({ ...fields, client_ip: requester.client_ip }, "security event");
    if (frequent.has(type)) return;
    store.noteEvent({
      type,
      outcome,
      actor_kind: actor.kind,
      actor_id: actor.id ?? null,
      target_table: target?.table ?? null,
      target_id: target?.id ?? null,
      ...(organization_id !== undefined && { organization_id }),
      client_ip: requester.client_ip,
      user_agent: requester.user_agent,
      request_id: requester.request_id,
      details,
      created_at: now(),
    });
  };
}

function measure({ type, outcome, details = {} }: SecurityEvent, metrics: Metrics): void {
  switch (type) {
    case "token_issued":
      metrics.count("postern_tokens_issued_total", { grant_type: String(details.grant_type) });
      break;
    case "sign_in":
      metrics.count("postern_sign_ins_total", { outcome });
      break;
    case "introspection":
      metrics.count("postern_introspections_total", { active: String(outcome === "success") });
      break;
    case "code_replay":
      metrics.count("postern_replays_total", { kind: "code" });
      break;
    case "refresh_replay":
      metrics.count("postern_replays_total", { kind: "refresh_token" });
      break;
    case "revocation_failed":
      if (details.error === "server_error") metrics.count("postern_revocation_failures_total", {});
      break;
  }
}
