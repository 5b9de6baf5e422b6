import { type AuditStreamKind, auditStreamKinds } from "../../records/names/names.ts";

/** Returns the configured kinds of audit streams. */
export function auditStreamsOf(config: { readonly [K in AuditStreamKind]: unknown }): AuditStreamKind[] {
  return auditStreamKinds.filter((kind) => config[kind] !== undefined);
}

/** Returns the settings without audit streams. */
export function withoutAuditStreams<C extends { readonly [K in AuditStreamKind]: unknown }>(config: C): C {
  return { ...config, ...Object.fromEntries(auditStreamKinds.map((kind) => [kind, undefined])) };
}
