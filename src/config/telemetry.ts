/**
 * The OpenTelemetry variables that control whether and how telemetry is exported
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). Values that the
 * exporters would silently replace with a default are rejected here. With an invalid endpoint, for example,
 * telemetry would be sent to the default receiver.
 */

type OtlpProtocol = "http/protobuf" | "http/json";

interface Sampling {
  readonly ratio: number;
  /** Whether the caller's sampling decision, if it sends one, takes precedence over `ratio`. */
  readonly by_parent: boolean;
}

export interface TelemetryConfig {
  readonly traces:
    | {
        readonly protocol: OtlpProtocol;
        readonly sampling: Sampling;
        /** Maximum number of queued spans. `batch` is the maximum number of spans in one export. */
        readonly queue: number;
        readonly batch: number;
        /** Milliseconds between two exports. */
        readonly delay: number;
        readonly propagates: boolean;
      }
    | undefined;
  /** `interval` is the time between two exports, in milliseconds. */
  readonly metrics: { readonly protocol: OtlpProtocol; readonly interval: number } | undefined;
}

type Env = Readonly<Record<string, string | undefined>>;
type Report = (name: string, message: string) => void;

const samplers: Readonly<Record<string, (ratio: number) => Sampling>> = {
  always_on: () => ({ ratio: 1, by_parent: false }),
  always_off: () => ({ ratio: 0, by_parent: false }),
  traceidratio: (ratio) => ({ ratio, by_parent: false }),
  parentbased_always_on: () => ({ ratio: 1, by_parent: true }),
  parentbased_always_off: () => ({ ratio: 0, by_parent: true }),
  parentbased_traceidratio: (ratio) => ({ ratio, by_parent: true }),
};

/** Returns undefined if the variables switch on no export. */
export function readTelemetry(
  env: Env,
  report: Report,
  readFile: (path: string) => string,
): TelemetryConfig | undefined {
  const input = (name: string): string | undefined => env[name]?.trim() || undefined;
  if (input("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;

  function isOn(signal: "TRACES" | "METRICS"): boolean {
    const name = `OTEL_${signal}_EXPORTER`;
    const exporter = input(name);
    if (exporter === undefined) {
      return [`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, "OTEL_EXPORTER_OTLP_ENDPOINT"].some(input);
    }
    if (exporter !== "otlp" && exporter !== "none") report(name, "expected otlp or none");
    return exporter === "otlp";
  }

  const wrong_protocols = new Set<string>();

  function protocolOf(signal: "TRACES" | "METRICS"): OtlpProtocol {
    const names = [`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`, "OTEL_EXPORTER_OTLP_PROTOCOL"];
    const name = names.find(input);
    const protocol = name === undefined ? "http/protobuf" : input(name);
    if (protocol === "http/protobuf" || protocol === "http/json") return protocol;
    if (name !== undefined) wrong_protocols.add(name);
    return "http/protobuf";
  }

  function checkReceiver(kind: "" | "TRACES_" | "METRICS_"): void {
    const address = input(`OTEL_EXPORTER_OTLP_${kind}ENDPOINT`);
    if (address !== undefined && !/^https?:$/.test(URL.parse(address)?.protocol ?? ""))
      report(`OTEL_EXPORTER_OTLP_${kind}ENDPOINT`, "expected https://host:4318 or http://host:4318");
    for (const what of ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"]) {
      const name = `OTEL_EXPORTER_OTLP_${kind}${what}`;
      const path = input(name);
      try {
        if (path !== undefined) readFile(path);
      } catch {
        report(name, "the file cannot be read");
      }
    }
  }

  function whole(name: string, usual: number): number {
    const text = input(name);
    if (text === undefined) return usual;
    if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
    report(name, "expected a whole number from 1 to 99999999");
    return usual;
  }

  function sampling(): Sampling {
    const name = input("OTEL_TRACES_SAMPLER") ?? "always_on";
    const sampler = samplers[name];
    if (sampler === undefined) {
      report("OTEL_TRACES_SAMPLER", `expected one of ${Object.keys(samplers).join(", ")}`);
      return { ratio: 1, by_parent: false };
    }
    const text = input("OTEL_TRACES_SAMPLER_ARG");
    const ratio = text === undefined ? 1 : Number(text);
    if (ratio >= 0 && ratio <= 1) return sampler(ratio);
    report("OTEL_TRACES_SAMPLER_ARG", "expected a number from 0 to 1");
    return sampler(1);
  }

  const queue = whole("OTEL_BSP_MAX_QUEUE_SIZE", 2048);
  const traces = isOn("TRACES")
    ? {
        protocol: protocolOf("TRACES"),
        sampling: sampling(),
        queue,
        batch: Math.min(whole("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512), queue),
        delay: whole("OTEL_BSP_SCHEDULE_DELAY", 5000),
        propagates: (input("OTEL_PROPAGATORS") ?? "tracecontext").split(",").includes("tracecontext"),
      }
    : undefined;
  const metrics = isOn("METRICS")
    ? { protocol: protocolOf("METRICS"), interval: whole("OTEL_METRIC_EXPORT_INTERVAL", 60_000) }
    : undefined;
  for (const name of wrong_protocols) report(name, "expected http/protobuf or http/json");
  if (traces === undefined && metrics === undefined) return undefined;
  checkReceiver("");
  if (traces) checkReceiver("TRACES_");
  if (metrics) checkReceiver("METRICS_");
  return { traces, metrics };
}
