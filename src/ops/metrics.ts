import type { Counter, Histogram, MetricObjectWithValues, MetricValue } from "prom-client";

/** Every counter: its meaning, and its labels. Label values come from closed lists, never from a caller. */
const counters = {
  postern_tokens_issued_total: { help: "Access tokens issued, by grant type", labels: ["grant_type"] },
  postern_token_errors_total: { help: "Refusals of the token endpoint, by error code", labels: ["error"] },
  postern_sign_ins_total: {
    help: "Sign-ins, by the proof that they ended with or failed at, and by outcome",
    labels: ["method", "outcome"],
  },
  postern_introspections_total: {
    help: "Introspections, by whether the token was active",
    labels: ["active"],
  },
  postern_revocation_failures_total: {
    help: "Revocations that were given up although the caller was answered 200",
    labels: [],
  },
  postern_replays_total: {
    help: "Codes, refresh tokens, DPoP proofs and assertions presented again, by kind",
    labels: ["kind"],
  },
  postern_audit_events_left_out_total: {
    help: "Events that were counted instead of written to audit and log, by type, and by what let too many through",
    labels: ["type", "by"],
  },
  postern_log_lines_dropped_total: {
    help: "Log lines given up because standard output took none for long",
    labels: [],
  },
  postern_mails_total: {
    help: "Mails, by whether they were sent, given up or dropped because too many were waiting",
    labels: ["outcome"],
  },
  postern_mails_refused_total: {
    help: "Mails not made because somebody asked for too many, by what they would have been",
    labels: ["kind"],
  },
} as const;

/** A wait that nobody notices, up to one that people give up in. */
const waitBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const histograms = {
  postern_http_request_duration_seconds: {
    help: "Time from the request's headers to the end of the answer, by route pattern, method and status",
    labels: ["route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
  postern_hash_wait_seconds: {
    help: "Time that a password or secret waited for its turn to be hashed, by what it is for",
    labels: ["lane"],
    buckets: waitBuckets,
  },
  postern_hash_duration_seconds: {
    help: "Time that a hash took once it was its turn, by what it is for",
    labels: ["lane"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  },
} as const;

/**
 * What is asked for at each scrape. Of several processes of one machine the values are added up, or the
 * highest is told where all of them tell of the same thing.
 */
const gauges = {
  postern_build_info: { help: "1, by version", labels: ["version"], of_processes: "max" },
  postern_hashes: {
    help: "Password and secret hashes, by what they are for, and by whether they run or wait",
    labels: ["lane", "state"],
    of_processes: "sum",
  },
  postern_hash_queue_limit: {
    help: "Hashes that may wait, by what they are for; further ones are refused",
    labels: ["lane"],
    of_processes: "sum",
  },
  postern_revocations_waiting: {
    help: "Revocations that were answered and that the database has not taken yet",
    labels: [],
    of_processes: "sum",
  },
  postern_cache_distrusted: {
    help: "Processes that believe nothing from memory, because notices of changes do not come back",
    labels: [],
    of_processes: "sum",
  },
  postern_database_connections: {
    help: "Connections to PostgreSQL, by whether they are used or idle",
    labels: ["state"],
    of_processes: "sum",
  },
  postern_database_connections_limit: {
    help: "Connections to PostgreSQL that there may be",
    labels: [],
    of_processes: "sum",
  },
  postern_database_connection_waiters: {
    help: "Statements and transactions that wait for a connection to PostgreSQL",
    labels: [],
    of_processes: "sum",
  },
  postern_database_size_bytes: {
    help: "Bytes that the database takes on disk",
    labels: [],
    of_processes: "max",
  },
  postern_database_log_bytes: {
    help: "Bytes of SQLite's write-ahead log",
    labels: [],
    of_processes: "max",
  },
  postern_database_rows: {
    help: "Rows, by table: an estimate, for which nothing is counted",
    labels: ["table"],
    of_processes: "max",
  },
  postern_database_expired_rows: {
    help: "Rows that have ended and are still there, by table, counted up to 1000",
    labels: ["table"],
    of_processes: "max",
  },
  postern_last_sweep_timestamp_seconds: {
    help: "When expired rows were last looked for without a failure, in seconds since 1970",
    labels: [],
    of_processes: "max",
  },
  postern_signing_key_activated_timestamp_seconds: {
    help: "When the key that signs now began to, by algorithm, in seconds since 1970",
    labels: ["algorithm"],
    of_processes: "max",
  },
  postern_unwritten: {
    help: "What waits in memory to be written, by kind",
    labels: ["kind"],
    of_processes: "sum",
  },
  postern_mails_waiting: {
    help: "Mails in memory that are not sent yet",
    labels: [],
    of_processes: "sum",
  },
  postern_outbox_entries: {
    help: "What is kept in the database to be sent or done, by kind, counted up to 1000",
    labels: ["kind"],
    of_processes: "max",
  },
  postern_outbox_oldest_timestamp_seconds: {
    help: "Since when the oldest of it waits, by kind, in seconds since 1970; absent where nothing waits",
    labels: ["kind"],
    of_processes: "max",
  },
} as const satisfies Record<string, { help: string; labels: readonly string[]; of_processes: "sum" | "max" }>;

/** Every metric of our own, without what a histogram adds to its name. */
export const metricNames: readonly string[] = [counters, histograms, gauges].flatMap((each) =>
  Object.keys(each),
);

export type GaugeName = keyof typeof gauges;
export type GaugeLabels<N extends GaugeName> = Record<(typeof gauges)[N]["labels"][number], string>;
/** A value of a gauge, with its labels. */
export interface Reading<N extends GaugeName = GaugeName> {
  readonly labels: GaugeLabels<N>;
  readonly value: number;
}
export type CounterName = keyof typeof counters;
export type HistogramName = keyof typeof histograms;
export type CounterLabels<N extends CounterName> = Record<(typeof counters)[N]["labels"][number], string>;
export type HistogramLabels<N extends HistogramName> = Record<
  (typeof histograms)[N]["labels"][number],
  string
>;

/** The values of one process, fit to be sent to another and merged there. */
export type MetricsSnapshot = MetricObjectWithValues<MetricValue<string>>[];

/** Counts nothing and loads nothing. */
export const noMetrics: Metrics = {
  count() {},
  observe() {},
  watch() {},
  text: async () => "",
  snapshot: async () => [],
};

/**
 * Metrics in a registry of their own. With `process_metrics` the memory, processor time and event loop delay
 * of this process are measured too. prom-client is loaded here, so that a server without metrics does not pay
 * for it.
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
    /** Reads the gauge at every request for the metrics; what cannot be read then is left out of it. */
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
          // Without labels it would be 0 from then on, which is a figure as well.
          if (labels.length === 0) this.remove();
          const found = await Promise.resolve(read()).catch(() => []);
          for (const { labels: of, value } of found) this.set(of, value);
        },
      });
    },
    count: <N extends CounterName>(name: N, labels: CounterLabels<N>): void =>
      counting.get(name)?.inc(labels),
    /** `value` is in the unit that ends the name. */
    observe: <N extends HistogramName>(name: N, labels: HistogramLabels<N>, value: number): void =>
      measuring.get(name)?.observe(labels, value),
    /** Prometheus text format 0.0.4. */
    text: (): Promise<string> => registry.metrics(),
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
  };
}

export type Metrics = Awaited<ReturnType<typeof createMetrics>>;

/** The metrics of several processes as one text, with the counters summed. */
export async function mergedText(snapshots: readonly MetricsSnapshot[]): Promise<string> {
  return (await merged(snapshots)).metrics();
}

/** The same as values that can be merged again. */
export async function mergedSnapshot(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return (await merged(snapshots)).getMetricsAsJSON();
}

/** What only grows: counters and histograms. */
export function countersOf(snapshot: MetricsSnapshot): MetricsSnapshot {
  // Of the values that are sent between processes the type is a word.
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
