/**
 * Limits the audit events of failed requests, which cost an attacker nothing and could fill the disk. Events
 * above the limits are only counted (docs/decisions/abuse-limits.md).
 */
import type { AuditEvent } from "../../records/definition/definition.ts";
import { sourceOf } from "../../records/definition/request_origin.ts";
import { leakyBuckets, type Rate, type Share } from "../../records/names/leaky_buckets.ts";

export type NotedEvent = Omit<AuditEvent, "id" | "organization_id"> &
  Partial<Pick<AuditEvent, "organization_id">>;

const ofOneSource: Rate = { size: 20, every: 12_000 };
const ofOneClient: Rate = { size: 60, every: 6000 };
const ofAll: Rate = { size: 300, every: 4000 };
/** Internal errors have a higher limit, because each may report a failed revocation that must be repeated. */
const ofErrors: Rate = { size: 1000, every: 1000 };

/** Milliseconds after which the number of omitted events is written as an audit event. */
const period = 60_000;
/** Events of further sources and clients are added to a common count. */
const mostCounts = 10;

/**
 * `source`, `client`, `all`: too many events of its type from its network, from its client or in total.
 * `memory`: the queue in memory is full.
 */
export type LeftOutBy = "source" | "client" | "all" | "memory";

export interface LeftOut {
  readonly event: NotedEvent;
  readonly by: LeftOutBy;
  more: number;
}

/** Events that only signed-in users can cause. They have no limit, because they are no sign of abuse. */
const authenticated: ReadonlySet<string> = new Set(["consent"]);

function clientOf({ actor_kind, actor_id, target_table, target_id }: NotedEvent): string | null {
  if (actor_kind === "client") return actor_id;
  return target_table === "oauth_apps" ? target_id : null;
}

function sharesOf(event: NotedEvent): Share[] {
  const { type, details, client_ip } = event;
  if (details?.error === "server_error") return [[`all ${type} server_error`, ofErrors]];
  const client = clientOf(event);
  return [
    [`source ${type} ${sourceOf(client_ip)}`, ofOneSource],
    ...(client === null ? [] : [[`client ${type} ${client}`, ofOneClient] as const]),
    [`all ${type}`, ofAll],
  ];
}

function commonTo(event: NotedEvent, by: LeftOutBy): NotedEvent {
  const common: NotedEvent = {
    ...event,
    actor_kind: "anonymous",
    actor_id: null,
    target_table: null,
    target_id: null,
    client_ip: null,
    user_agent: null,
    request_id: null,
    details: null,
  };
  if (by === "source") return { ...common, client_ip: event.client_ip };
  if (by !== "client") return { ...common, organization_id: null };
  const { actor_kind, actor_id, target_table, target_id } = event;
  return { ...common, actor_kind, actor_id, target_table, target_id };
}

export function eventGate() {
  const take = leakyBuckets();
  const counts = new Map<string, LeftOut>();
  const kinds = new Map<string, number>();

  function counted(event: NotedEvent, by: LeftOutBy): LeftOut {
    const who = by === "source" ? sourceOf(event.client_ip) : by === "client" ? clientOf(event) : "";
    const key = `${by} ${event.type} ${who}`;
    const known = counts.get(key);
    if (known !== undefined) return known;
    const ofType = kinds.get(event.type) ?? 0;
    if (ofType >= mostCounts && (by === "source" || by === "client")) return counted(event, "all");
    kinds.set(event.type, ofType + 1);
    const made: LeftOut = { event: commonTo(event, by), by, more: 0 };
    counts.set(key, made);
    return made;
  }

  return {
    closedTo(event: NotedEvent): LeftOutBy | undefined {
      if (event.outcome === "success" || authenticated.has(event.type)) return undefined;
      const closed = take(sharesOf(event), event.created_at);
      return closed === undefined ? undefined : (closed.split(" ", 1)[0] as LeftOutBy);
    },
    count(event: NotedEvent, by: LeftOutBy): void {
      counted(event, by).more += 1;
    },
    take(now: Date, all: boolean): LeftOut[] {
      const taken: LeftOut[] = [];
      for (const [key, leftOut] of counts) {
        const { type, created_at } = leftOut.event;
        if (!all && now.getTime() - created_at.getTime() < period) continue;
        counts.delete(key);
        kinds.set(type, (kinds.get(type) ?? 1) - 1);
        taken.push(leftOut);
      }
      return taken;
    },
  };
}
