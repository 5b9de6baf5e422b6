import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError } from "../../src/config/config_error.ts";
import { readConfig } from "../../src/config.ts";
import { errorsOf, refused } from "./errors.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example:4318" };
const telemetryOf = (env: Record<string, string>) => readConfig(env).telemetry;

test("nothing is sent without an OpenTelemetry variable, or if it is disabled", () => {
  assert.equal(telemetryOf({}), undefined);
  assert.equal(telemetryOf({ OTEL_SERVICE_NAME: "postern" }), undefined);
  assert.equal(telemetryOf({ ...endpoint, OTEL_SDK_DISABLED: "true" }), undefined);
  assert.equal(
    telemetryOf({ ...endpoint, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" }),
    undefined,
  );
});

test("OTEL_EXPORTER_OTLP_ENDPOINT enables traces and metrics, and each signal has its own variables", () => {
  assert.deepEqual(telemetryOf(endpoint), {
    traces: {
      protocol: "http/protobuf",
      sampling: { ratio: 1, by_parent: false },
      ...{ queue: 2048, batch: 512, delay: 5000, propagates: true },
    },
    metrics: { protocol: "http/protobuf", interval: 60_000 },
  });
  const traces = telemetryOf({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318/v1/traces" });
  assert.ok(traces?.traces && !traces.metrics);
  const metrics = telemetryOf({ OTEL_METRICS_EXPORTER: "otlp", OTEL_METRIC_EXPORT_INTERVAL: "5000" });
  assert.deepEqual(metrics, { traces: undefined, metrics: { protocol: "http/protobuf", interval: 5000 } });
  const json = telemetryOf({ ...endpoint, OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json" });
  assert.deepEqual([json?.traces?.protocol, json?.metrics?.protocol], ["http/protobuf", "http/json"]);
});

test("samplers have OpenTelemetry's names, and only parent-based ones use the caller's decision", () => {
  const samplingOf = (OTEL_TRACES_SAMPLER: string, OTEL_TRACES_SAMPLER_ARG = "0.25") =>
    telemetryOf({ ...endpoint, OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG })?.traces?.sampling;
  assert.deepEqual(samplingOf("always_off"), { ratio: 0, by_parent: false });
  assert.deepEqual(samplingOf("traceidratio"), { ratio: 0.25, by_parent: false });
  assert.deepEqual(samplingOf("parentbased_always_on"), { ratio: 1, by_parent: true });
  assert.deepEqual(samplingOf("parentbased_traceidratio"), { ratio: 0.25, by_parent: true });
});

test("invalid OpenTelemetry settings are refused by name", () => {
  const wrong = {
    OTEL_TRACES_EXPORTER: "zipkin",
    OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "grpc",
    OTEL_METRIC_EXPORT_INTERVAL: "0",
  };
  const more = { OTEL_TRACES_SAMPLER: "sometimes", OTEL_BSP_SCHEDULE_DELAY: "soon" };
  const shared = { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" };
  for (const env of [wrong, more, shared])
    assert.throws(
      () => readConfig({ ...endpoint, ...env }),
      (error) => {
        assert.ok(error instanceof ConfigError);
        assert.deepEqual(error.errors.map(({ name }) => name).toSorted(), Object.keys(env).toSorted());
        return true;
      },
    );
});

test("a collector with an invalid address or unreadable certificates is refused", () => {
  const errorOf = (name: string, value: string) =>
    refused({ ...endpoint, [name]: value }, name, /expected|read/);
  for (const address of ["nonsense", "ftp://collector.example", "collector.example:4318"])
    errorOf("OTEL_EXPORTER_OTLP_ENDPOINT", address);
  errorOf("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "/v1/traces");
  errorOf("OTEL_EXPORTER_OTLP_CERTIFICATE", "/etc/no-ca.pem");
  errorOf("OTEL_EXPORTER_OTLP_METRICS_CLIENT_KEY", "/etc/no-key.pem");
  // If nothing is sent, an unreadable certificate is no error.
  assert.deepEqual(errorsOf({ OTEL_EXPORTER_OTLP_CERTIFICATE: "/etc/no-ca.pem" }), []);
});
