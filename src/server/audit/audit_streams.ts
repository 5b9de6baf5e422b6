import { type AuditStreamKind, auditStreamKinds } from "../../records/names/names.ts";

/** Returns the kinds of audit streams that the settings configure. Each event is marked for each of them. */
export function auditStreamsOf(config: { readonly [K in AuditStreamKind]: unknown }): AuditStreamKind[] {
  return auditStreamKinds.filter((kind) => config[kind] !== undefined);
}

/** Returns the settings without audit streams, so no events are marked for them. */
export function withoutAuditStreams<C extends { readonly [K in AuditStreamKind]: unknown }>(config: C): C {
  return { ...config, ...Object.fromEntries(auditStreamKinds.map((kind) => [kind, undefined])) };
}
