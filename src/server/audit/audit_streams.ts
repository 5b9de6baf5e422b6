import { type AuditStreamKind, auditStreamKinds } from "../../records/names/names.ts";

/** The kinds of streams that the settings name: their events are marked, and sinks take them. */
export function auditStreamsOf(config: { readonly [K in AuditStreamKind]: unknown }): AuditStreamKind[] {
  return auditStreamKinds.filter((kind) => config[kind] !== undefined);
}

/** The same settings without a stream: nothing is marked, and nothing taken. */
export function withoutAuditStreams<C extends { readonly [K in AuditStreamKind]: unknown }>(config: C): C {
  return { ...config, ...Object.fromEntries(auditStreamKinds.map((kind) => [kind, undefined])) };
}
