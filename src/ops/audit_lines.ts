/** The formats in which audit events leave the database: JSON lines and syslog messages. */
import type { PublicView } from "../records/definition/view.ts";

/**
 * Returns the event as one line, without a newline. The line is in ASCII, because log readers disagree on
 * other encodings.
 */
export function auditLine(event: PublicView): string {
  return JSON.stringify(event).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** RFC 5424, section 6.2.1: facility 13 (log audit), with severity 6 (informational) or 4 (warning). */
const priority = { success: 13 * 8 + 6, failure: 13 * 8 + 4 } as const;

/**
 * This project has no enterprise number, so the ID contains the one that RFC 5612 reserves for documentation.
 */
const structuredData = "postern@32473";
const columns = [
  "id",
  "type",
  "outcome",
  "actor_kind",
  "actor_id",
  "organization_id",
  "target_table",
  "target_id",
  "client_ip",
  "request_id",
] as const;

/** Escapes a parameter value (RFC 5424, section 6.3.3). */
const escaped = (text: string): string => text.replaceAll(/["\\\]]/g, "\\$&");
const headerField = (text: unknown, most: number): string =>
  String(text ?? "")
    .replaceAll(/[^!-~]/g, "")
    .slice(0, most) || "-";

/** Returns the event as a syslog message (RFC 5424), without the framing of a transport. */
export function syslogMessage(event: PublicView, host: string): string {
  const outcome = event.outcome === "failure" ? "failure" : "success";
  const parameters = columns.flatMap((name) => {
    const value = event[name];
    return value === null || value === undefined ? [] : [`${name}="${escaped(String(value))}"`];
  });
  const header = [
    `<${priority[outcome]}>1`,
    headerField(event.created_at, 32),
    headerField(host, 255),
    "postern",
    "-",
    headerField(event.type, 32),
  ];
  return `${header.join(" ")} [${[structuredData, ...parameters].join(" ")}] ${auditLine(event)}`;
}
