/**
 * Sends committed audit events to a file or a syslog server. Each event is delivered at least once, and the
 * events of one process arrive in order (docs/decisions/observability.md).
 */
import { setTimeout as pause } from "node:timers/promises";
import { auditLine, syslogMessage } from "../../ops/audit_lines.ts";
import type { Log } from "../../ops/log.ts";
import { type SyslogAddress, sendSyslog } from "../../outbound/syslog.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import type { AuditStreamKind } from "../../records/names/names.ts";
import type { Audit } from "../../storage/ports.ts";
import { appendLines, requireAppendable } from "./audit_file.ts";
import { auditStreamsOf } from "./audit_streams.ts";

const batch = 200;
const batches = 50;
/**
 * Maximum milliseconds for sending events to the syslog server, shorter than the lease with which a process
 * claims a stream.
 */
const longestSend = 10_000;
const betweenErrors = 60_000;

interface AuditSink {
  readonly kind: AuditStreamKind;
  /** The events are given oldest first. Throws if any may not have been delivered. */
  take(events: readonly PublicView[]): Promise<void>;
  check?(): void;
}

interface StreamSettings {
  readonly audit_file: string | undefined;
  readonly audit_syslog: SyslogAddress | undefined;
}

const sinkOf: {
  readonly [K in AuditStreamKind]: (
    setting: NonNullable<StreamSettings[K]>,
    host: string,
  ) => Omit<AuditSink, "kind">;
} = {
  audit_file: (path) => ({
    take: async (events) => appendLines(path, events.map(auditLine)),
    check: () => requireAppendable(path),
  }),
  audit_syslog: (address, host) => ({
    take: (events) =>
      sendSyslog(
        address,
        events.map((event) => syslogMessage(event, host)),
        { timeout: longestSend },
      ),
  }),
};

export function auditSinks(settings: StreamSettings, host: string): AuditSink[] {
  const sink = <K extends AuditStreamKind>(kind: K) => ({
    kind,
    ...sinkOf[kind](settings[kind] as NonNullable<StreamSettings[K]>, host),
  });
  return auditStreamsOf(settings).map(sink);
}

export function auditStream({
  store,
  sinks,
  log,
  now,
  holder = crypto.randomUUID(),
}: {
  readonly store: Pick<Audit, "holdAuditStream" | "leaveAuditStream" | "waitingEvents" | "forgetMarks">;
  readonly sinks: readonly AuditSink[];
  readonly log: Pick<Log, "warn">;
  readonly now: () => Date;
  readonly holder?: string;
}) {
  const loggedAt = new Map<AuditStreamKind, number>();

  function report(stream: AuditStreamKind, err: unknown): void {
    if (performance.now() - (loggedAt.get(stream) ?? Number.NEGATIVE_INFINITY) < betweenErrors) return;
    loggedAt.set(stream, performance.now());
    log.warn({ err, stream }, "audit events are waiting: the stream does not accept them");
  }

  async function write({ kind, take }: AuditSink): Promise<void> {
    for (let turn = 0; turn < batches; turn++) {
      if (!(await store.holdAuditStream(kind, holder, now()))) return;
      const { events, marks } = await store.waitingEvents(kind, batch);
      if (events.length > 0) await take(events.map((event) => publicView("audit_events", event)));
      if (marks.length > 0) await store.forgetMarks(kind, marks);
      if (marks.length < batch) return;
    }
  }

  function passOf(sink: AuditSink): () => Promise<void> {
    let underWay: Promise<void> | undefined;
    return () => {
      underWay ??= write(sink)
        .catch((err) => report(sink.kind, err))
        .finally(() => {
          underWay = undefined;
        });
      return underWay;
    };
  }

  // Reports a configuration error, such as a missing folder, at startup rather than at the first event.
  for (const { kind, check } of sinks) {
    try {
      check?.();
    } catch (err) {
      report(kind, err);
    }
  }

  const passes = sinks.map(passOf);
  const pass = () => Promise.all(passes.map((each) => each()));

  return {
    /**
     * One function per destination, so that a slow receiver delays no other destination. The functions never
     * throw.
     */
    passes,
    pass,
    /**
     * Claims the streams, so that this process also delivers the events of other processes, such as commands.
     */
    async claim(): Promise<void> {
      for (const { kind } of sinks) await store.holdAuditStream(kind, holder, now());
    },
    /**
     * Events that are not delivered within `maxWait` milliseconds stay in the database, and another process
     * or the next start sends them.
     */
    async close(maxWait: number): Promise<void> {
      await Promise.race([pass(), pause(maxWait, undefined, { ref: false })]);
      await Promise.all(sinks.map(({ kind }) => store.leaveAuditStream(kind, holder, now()).catch(() => {})));
    },
  };
}
