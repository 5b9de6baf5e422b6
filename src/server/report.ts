import type { SecurityEvent } from "../oauth/core/server.ts";
import type { Log } from "../ops/log.ts";
import type { Metrics } from "../ops/metrics.ts";
import { type MethodKind, methodKinds } from "../records/names/sign_in_methods.ts";
import type { Audit, Clients } from "../storage/ports.ts";

/** These events are as frequent as requests, so they are not stored as audit events. */
const frequent: ReadonlySet<SecurityEvent["type"]> = new Set(["token_issued", "introspection"]);

/**
 * For these reasons and errors, no audit event is written. `unproved`: a passkey or provider sign-in that
 * failed before a user was known.
 */
const unheard: ReadonlySet<unknown> = new Set(["throttled", "temporarily_unavailable", "unproved"]);

/**
 * Returns a function that records a security event in the log, the metrics, the hourly counts and the audit
 * events (H-8).
 */
export function reporter({
  store,
  log,
  metrics,
  now,
}: {
  store: Audit & Clients;
  log: Log;
  metrics: Metrics;
  now: () => Date;
}) {
  return (event: SecurityEvent): void => {
    const { type, outcome, actor, target, organization_id, origin, details = {}, cause } = event;
    measure(event, metrics);
    count(event, store, now);
    const fields = {
      event: type,
      outcome,
      actor,
      ...(target && { target }),
      request_id: origin.request_id,
      details,
    };
    if (frequent.has(type) || unheard.has(details.reason ?? details.error)) {
      log.debug(fields, "security event");
      return;
    }
    const left_out_by = store.queueEvent({
      type,
      outcome,
      actor_kind: actor.kind,
      actor_id: actor.id ?? null,
      target_table: target?.table ?? null,
      target_id: target?.id ?? null,
      ...(organization_id !== undefined && { organization_id }),
      client_ip: origin.client_ip,
      user_agent: origin.user_agent,
      request_id: origin.request_id,
      details,
      created_at: now(),
    });
    if (left_out_by !== undefined) {
      metrics.count("postern_audit_events_left_out_total", { type, by: left_out_by });
      // An audit event that exceeds a limit is not logged either, to protect the disk. If only the memory
      // queue is full, the log is the event's only record.
      if (left_out_by !== "memory") return;
    }
    if (type === "revocation_failed" && details.error === "server_error") {
      log.error({ ...fields, err: cause }, "a revocation failed");
    } else log.info({ ...fields, client_ip: origin.client_ip }, "security event");
  };
}

function measure({ type, outcome, details = {} }: SecurityEvent, metrics: Metrics): void {
  switch (type) {
    case "token_issued":
      metrics.count("postern_tokens_issued_total", { grant_type: String(details.grant_type) });
      break;
    case "sign_in":
      metrics.count("postern_sign_ins_total", { method: methodOf(details), outcome });
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

function methodOf({
  method,
  remembered_device,
}: NonNullable<SecurityEvent["details"]>): MethodKind | "remembered_device" | "unknown" {
  if (remembered_device === true) return "remembered_device";
  return methodKinds.find((kind) => kind === method) ?? "unknown";
}

/** Must not wait or read the database, because the token response waits for this function. */
function count(
  { type, outcome, organization_id, app_id, counted_as }: SecurityEvent,
  store: Pick<Audit & Clients, "increment">,
  now: () => Date,
): void {
  switch (type) {
    case "token_issued": {
      const subjects: (string | null)[] = [null];
      if (app_id !== undefined) subjects.push(app_id);
      if (organization_id != null) subjects.push(organization_id);
      if (counted_as !== undefined) store.increment(counted_as, subjects, now());
      break;
    }
    case "sign_in":
      store.increment(outcome === "success" ? "sign_ins" : "sign_in_failures", [null], now());
      break;
    case "introspection":
      store.increment("introspections", [null], now());
      break;
  }
}
