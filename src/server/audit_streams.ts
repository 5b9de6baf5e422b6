import type { AuditStreamKind } from "../storage/event_marks.ts";

/** The kinds of streams that the settings name. */
export function auditStreamsOf({
  audit_file,
  audit_syslog,
}: {
  readonly audit_file: unknown;
  readonly audit_syslog: unknown;
}): AuditStreamKind[] {
  return [
    ...(audit_file === undefined ? [] : (["audit_file"] as const)),
    ...(audit_syslog === undefined ? [] : (["audit_syslog"] as const)),
  ];
}
