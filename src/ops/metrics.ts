import type { Counter, Gauge, Histogram, MetricObjectWithValues, MetricValue } from "prom-client";

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
    help: "Spent codes and refresh tokens presented again, by kind",
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

const histograms = {
  postern_http_request_duration_seconds: {
    help: "Time from the request's headers to the end of the answer, by route pattern, method and status",
    labels: ["route", "method", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
} as const;

const gauges = {
  postern_hashes: {
    help: "Password and secret hashes, by what they are for, and by whether they run or wait",
    labels: ["lane", "state"],
  },
  postern_revocations_waiting: {
    help: "Revocations that were answered and that the database has not taken yet",
    labels: [],
  },
  postern_cache_distrusted: {
    help: "Processes that believe nothing from memory, because notices of changes do not come back",
    labels: [],
  },
} as const;

export type GaugeName = keyof typeof gauges;
export type GaugeLabels<N extends GaugeName> = Record<(typeof gauges)[N]["labels"][number], string>;
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
  const watched = (
    name: GaugeName,
    read: () => readonly { labels: Record<string, string>; value: number }[],
  ): Gauge => {
    const { help, labels } = gauges[name];
    return new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      collect() {
        for (const { labels: of, value } of read()) this.set(of, value);
      },
    });
  };
  return {
    /** Reads the gauge at every request for the metrics. */
    watch: <N extends GaugeName>(
      name: N,
      read: () => readonly { readonly labels: GaugeLabels<N>; readonly value: number }[],
    ): void => void watched(name, read),
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
  const { AggregatorRegistry } = await loadPromClient();
  return AggregatorRegistry.aggregate([...snapshots]).metrics();
}

async function loadPromClient() {
  const { default: client } = await import("prom-client");
  return client;
}
