/** Export of traces and metrics over OTLP, if the OpenTelemetry variables enable it. */
import type { ExportResult } from "@opentelemetry/core";
import type { Metrics } from "./metrics.ts";
import { otlpMetrics } from "./otlp_metrics.ts";
import { createTracing, type Tracing } from "./tracing.ts";

export interface TelemetryOptions {
  readonly traces:
    | {
        readonly protocol: "http/protobuf" | "http/json";
        readonly sampling: { readonly ratio: number; readonly by_parent: boolean };
        readonly queue: number;
        readonly batch: number;
        readonly delay: number;
        readonly propagates: boolean;
      }
    | undefined;
  readonly metrics:
    | { readonly protocol: "http/protobuf" | "http/json"; readonly interval: number }
    | undefined;
}

export interface Telemetry {
  readonly tracing: Tracing | undefined;
  readonly has_metrics: boolean;
  exportMetrics(metrics: Pick<Metrics, "snapshot">): Promise<void>;
  onError(listener: (error: Error) => void): void;
  /** Sends waiting data, for at most `maxWait` milliseconds. */
  close(maxWait: number): Promise<void>;
}

const longestExport = 10_000;

async function needed<M>(load: () => Promise<M>): Promise<M> {
  try {
    return await load();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new Error(
      "OTEL_… variables enable telemetry, but the OpenTelemetry packages are not installed: install with optional dependencies, or set OTEL_SDK_DISABLED=true",
      { cause: error },
    );
  }
}

/** Loads and starts the SDK. Registers nothing globally, because the process may have its own telemetry. */
export async function startTelemetry(
  { traces, metrics: exported }: TelemetryOptions,
  version: string,
): Promise<Telemetry> {
  const listeners: ((error: Error) => void)[] = [];
  const failed = (error: unknown) => {
    const failure = error instanceof Error ? error : new Error("the collector rejected an export");
    for (const listener of listeners) listener(failure);
  };
  /**
   * Reports failures of the exporter to `listeners`, because the SDK reports them only to a global logger.
   */
  function heard<E extends { export(items: never, done: (result: ExportResult) => void): void }>(
    exporter: E,
  ): E {
    const send = exporter.export.bind(exporter) as E["export"];
    exporter.export = (items, done) =>
      send(items, (result) => {
        if (result.code !== 0) failed(result.error);
        done(result);
      });
    return exporter;
  }

  const { detectResources, envDetector, resourceFromAttributes } = await needed(
    () => import("@opentelemetry/resources"),
  );
  const resource = resourceFromAttributes({
    "service.name": "postern",
    "service.version": version,
    "service.instance.id": crypto.randomUUID(),
  }).merge(detectResources({ detectors: [envDetector] }));

  let tracing: Tracing | undefined;
  if (traces !== undefined) {
    const { protocol, queue, batch, delay, ...how } = traces;
    const { OTLPTraceExporter } = await needed(() =>
      protocol === "http/json"
        ? import("@opentelemetry/exporter-trace-otlp-http")
        : import("@opentelemetry/exporter-trace-otlp-proto"),
    );
    const { BatchSpanProcessor } = await needed(() => import("@opentelemetry/sdk-trace"));
    const processor = new BatchSpanProcessor({
      exporter: heard(new OTLPTraceExporter()),
      maxQueueSize: queue,
      maxExportBatchSize: batch,
      scheduledDelayMillis: delay,
    });
    tracing = await createTracing({ processors: [processor], resource, ...how });
  }

  let stopMetrics = async (): Promise<void> => {};
  return {
    tracing,
    has_metrics: exported !== undefined,
    async exportMetrics(metrics) {
      if (exported === undefined) return;
      const started = Date.now();
      const [{ MeterProvider, PeriodicExportingMetricReader }, { OTLPMetricExporter }] = await needed(() =>
        Promise.all([
          import("@opentelemetry/sdk-metrics"),
          exported.protocol === "http/json"
            ? import("@opentelemetry/exporter-metrics-otlp-http")
            : import("@opentelemetry/exporter-metrics-otlp-proto"),
        ]),
      );
      const scope = { name: "postern", version };
      const producer = {
        async collect() {
          const found = await otlpMetrics(await metrics.snapshot(), { started, at: Date.now() });
          return {
            resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: found }] },
            errors: [],
          };
        },
      };
      const reader = new PeriodicExportingMetricReader({
        exporter: heard(new OTLPMetricExporter()),
        exportIntervalMillis: exported.interval,
        exportTimeoutMillis: Math.min(exported.interval, longestExport),
        metricProducers: [producer],
      });
      const provider = new MeterProvider({ resource, readers: [reader] });
      stopMetrics = () => provider.shutdown();
    },
    onError: (listener) => void listeners.push(listener),
    async close(maxWait) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, maxWait).unref());
      await Promise.all([tracing?.close(maxWait), Promise.race([stopMetrics().catch(() => {}), late])]);
    },
  };
}
