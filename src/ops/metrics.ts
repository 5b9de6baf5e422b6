import type { Counter, Histogram, MetricObjectWithValues, MetricValue } from "prom-client";

/** Label values come from fixed lists, never from a caller. */
const counters = {
  postern_tokens_issued_total: { help: "Access tokens issued, by grant type", labels: ["grant_type"] },
  postern_token_errors_total: { help: "Refusals of the token endpoint, by error code", labels: ["error"] },
  postern_sign_ins_total: {
    help: "Sign-ins, by the method that completed or failed them, and by outcome",
    labels: ["method", "outcome"],
  },
  postern_introspections_total: {
    help: "Introspections, by whether the token is active",
    labels: ["active"],
  },
  postern_revocation_failures_total: {
    help: "Revocations that failed after the caller received 200",
    labels: [],
  },
  postern_replays_total: {
    help: "Replayed codes, refresh tokens, DPoP proofs and assertions, by kind",
    labels: ["kind"],
  },
  postern_audit_events_left_out_total: {
    help: "Events that were counted instead of written to audit and log, by type and by the exceeded limit",
    labels: ["type", "by"],
  },
  postern_log_lines_dropped_total: {
    help: "Log lines dropped because standard output was blocked",
    labels: [],
  },
  postern_deliveries_total: {
    help: "Attempts to deliver notices to applications, by kind, and by whether they succeeded, failed permanently, were given up or postponed",
    labels: ["kind", "outcome"],
  },
  postern_mails_total: {
    help: "Emails, by outcome: sent, failed, or dropped because too many were waiting",
    labels: ["outcome"],
  },
  postern_mails_refused_total: {
    help: "Emails refused because too many were requested, by kind",
    labels: ["kind"],
  },
} as const;

/** Upper bounds of the buckets for waiting times, in seconds. */
const waitBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const histograms = {
  postern_http_request_duration_seconds: {
    help: "Time from the request headers to the end of the response, by route pattern, method and status",
    labels: ["route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  postern_hash_wait_seconds: {
    help: "Time that a password or secret waited to be hashed, by purpose",
    labels: ["lane"],
    buckets: waitBuckets,
  },
  postern_hash_duration_seconds: {
    help: "Time that a hash took after its wait, by purpose",
    labels: ["lane"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
} as const;

/**
 * `of_processes` says how the values of several processes are combined: as a sum, or as the maximum if all
 * measure the same thing.
 */
const gauges = {
  postern_build_info: { help: "1, by version", labels: ["version"], of_processes: "max" },
  postern_hashes: {
    help: "Password and secret hashes, by purpose and by state: running or waiting",
    labels: ["lane", "state"],
    of_processes: "sum",
  },
  postern_hash_queue_limit: {
    help: "Maximum number of waiting hashes, by purpose; the server refuses more",
    labels: ["lane"],
    of_processes: "sum",
  },
  postern_revocations_waiting: {
    help: "Revocations that were answered but not yet written to the database",
    labels: [],
    of_processes: "sum",
  },
  postern_cache_distrusted: {
    help: "Processes that do not trust their caches, because change notices are not received",
    labels: [],
    of_processes: "sum",
  },
  postern_database_connections: {
    help: "Connections to PostgreSQL, by state: used or idle",
    labels: ["state"],
    of_processes: "sum",
  },
  postern_database_connections_limit: {
    help: "Maximum number of connections to PostgreSQL",
    labels: [],
    of_processes: "sum",
  },
  postern_database_connection_waiters: {
    help: "Statements and transactions waiting for a connection to PostgreSQL",
    labels: [],
    of_processes: "sum",
  },
  postern_database_size_bytes: {
    help: "Size of the database on disk",
    labels: [],
    of_processes: "max",
  },
  postern_database_log_bytes: {
    help: "Size of SQLite's write-ahead log",
    labels: [],
    of_processes: "max",
  },
  postern_database_rows: {
    help: "Estimated rows, by table",
    labels: ["table"],
    of_processes: "max",
  },
  postern_database_expired_rows: {
    help: "Expired rows that are not yet removed, by table, counted up to 1000",
    labels: ["table"],
    of_processes: "max",
  },
  postern_last_sweep_timestamp_seconds: {
    help: "Time of the last successful sweep of expired rows, in seconds since 1970",
    labels: [],
    of_processes: "max",
  },
  postern_signing_key_activated_timestamp_seconds: {
    help: "Time when the current signing key began to sign, by algorithm, in seconds since 1970",
    labels: ["algorithm"],
    of_processes: "max",
  },
  postern_unwritten: {
    help: "Entries in memory waiting to be written, by kind",
    labels: ["kind"],
    of_processes: "sum",
  },
  postern_mails_waiting: {
    help: "Emails in memory that are not yet sent",
    labels: [],
    of_processes: "sum",
  },
  postern_outbox_entries: {
    help: "Stored work in the database, by kind, counted up to 1000",
    labels: ["kind"],
    of_processes: "max",
  },
  postern_outbox_oldest_timestamp_seconds: {
    help: "Time of the oldest stored work, by kind, in seconds since 1970; absent if nothing waits",
    labels: ["kind"],
    of_processes: "max",
  },
} as const satisfies Record<string, { help: string; labels: readonly string[]; of_processes: "sum" | "max" }>;

export const metricNames: readonly string[] = [counters, histograms, gauges].flatMap((each) =>
  Object.keys(each),
);

export type GaugeName = keyof typeof gauges;
type GaugeLabels<N extends GaugeName> = Record<(typeof gauges)[N]["labels"][number], string>;
export interface Reading<N extends GaugeName = GaugeName> {
  readonly labels: GaugeLabels<N>;
  readonly value: number;
}
type CounterName = keyof typeof counters;
type HistogramName = keyof typeof histograms;
type CounterLabels<N extends CounterName> = Record<(typeof counters)[N]["labels"][number], string>;
type HistogramLabels<N extends HistogramName> = Record<(typeof histograms)[N]["labels"][number], string>;

export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/** Metrics that record nothing and load no package. */
export const noMetrics: Metrics = {
  count() {},
  observe() {},
  watch() {},
  text: async () => "",
  snapshot: async () => [],
};

/**
 * Returns metrics in a separate registry. `process_metrics` adds the memory, processor time and event loop
 * delay of this process.
 */
export async function createMetrics({ process_metrics = false } = {}) {
  const { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } = await loadPromClient();
  const registry = new Registry();
  if (process_metrics) collectDefaultMetrics({ register: registry });

  const counting = new Map<string, Counter>();
  for (const [name, { help, labels }] of Object.entries(counters)) {
    counting.set(name, new Counter({ name, help, labelNames: [...labels], registers: [registry] }));
  }
  const measuring = new Map<string, Histogram>();
  for (const [name, { help, labels, buckets }] of Object.entries(histograms)) {
    measuring.set(
      name,
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
    );
  }
  return {
    /** Values that cannot be read are omitted. */
    watch<N extends GaugeName>(
      name: N,
      read: () => readonly Reading<N>[] | Promise<readonly Reading<N>[]>,
    ): void {
      const { help, labels, of_processes } = gauges[name];
      new Gauge<string>({
        name,
        help,
        labelNames: [...labels],
        aggregator: of_processes,
        registers: [registry],
        async collect() {
          this.reset();
          // A gauge without labels is reset to 0, which would look like a valid value if `read` fails.
          if (labels.length === 0) this.remove();
          const found = await Promise.resolve(read()).catch(() => []);
          for (const { labels: of, value } of found) this.set(of, value);
        },
      });
    },
    count: <N extends CounterName>(name: N, labels: CounterLabels<N>): void =>
      counting.get(name)?.inc(labels),
    /** The unit is the last word of the metric's name. */
    observe: <N extends HistogramName>(name: N, labels: HistogramLabels<N>, value: number): void =>
      measuring.get(name)?.observe(labels, value),
    /** Returns the metrics in Prometheus text format 0.0.4. */
    text: (): Promise<string> => registry.metrics(),
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}

export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

/** Returns the metrics of several processes in one Prometheus text. */
export async function mergedText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return (await merged(snapshots)).metrics();
}

/** Returns the merged metrics of several processes as values that can be merged again. */
export async function mergedSnapshot(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return (await merged(snapshots)).getMetricsAsJSON();
}

/** Returns the metrics that never decrease: counters and histograms. */
export function countersOf(snapshot: MetricsSnapshot): MetricsSnapshot {
  // The type is an enum in the declarations, but a string after the transfer between processes.
  const lasting: readonly unknown[] = ["counter", "histogram"];
  return snapshot.filter(({ type }) => lasting.includes(type));
}

async function merged(snapshots: readonly MetricsSnapshot[]) {
  const { AggregatorRegistry } = await loadPromClient();
  return AggregatorRegistry.aggregate([...snapshots]);
}

async function loadPromClient() {
  const { default: client } = await import("prom-client");
  return client;
}
