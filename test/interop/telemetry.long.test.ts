import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { basic } from "../support/flows.ts";
import { type OtlpReceiver, otlpReceiver, type ReceivedSpan } from "../support/otlp_receiver.ts";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { machine, manifest } from "./registrations.ts";

const caller = { trace: "4bf92f3577b34da6a3ce929d0e0e4736", span: "00f067aa0ba902b7" };

/** Requests a token for the machine within a trace of the caller. */
async function requestToken({ url }: ServedProcess): Promise<number> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: "POST",
    headers: {
      authorization: basic(machine.client_id, machine.secret),
      traceparent: `00-${caller.trace}-${caller.span}-00`,
    },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  await answer.text();
  return answer.status;
}

describe("a server that sends telemetry to a collector", () => {
  let collector: OtlpReceiver;
  let served: ServedProcess;
  let trace: ReceivedSpan[];
  const root = () => trace.find(({ name }) => name === "POST /oauth/token");

  before(async () => {
    collector = await otlpReceiver();
    served = await servedProcess({
      manifest,
      environment: {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_SERVICE_NAME: "postern-of-the-test",
        OTEL_BSP_SCHEDULE_DELAY: "50",
        OTEL_METRIC_EXPORT_INTERVAL: "300",
        POSTERN_LOG_LEVEL: "debug",
      },
    });
    assert.equal(await requestToken(served), 200);
    await until(() => {
      trace = collector.spans().filter(({ traceId }) => traceId === caller.trace);
      return root() !== undefined;
    }, "the spans of the request");
  });

  test("continues the caller's trace, whatever its sampled flag, and names the request's route", () => {
    const { parentSpanId, attributes } = root() ?? assert.fail();
    assert.equal(parentSpanId, caller.span);
    assert.equal(attributes["http.route"], "/oauth/token");
    assert.equal(attributes["http.request.method"], "POST");
    assert.equal(attributes["http.response.status_code"], "200");
  });

  test("sends child spans for client authentication, hashing, grant, signature and database", () => {
    const ofId = new Map(trace.map((span) => [span.spanId, span]));
    const parentOf = (wanted: string) =>
      ofId.get(trace.find(({ name }) => name === wanted)?.parentSpanId ?? "")?.name;
    assert.equal(parentOf("client authentication"), "POST /oauth/token");
    assert.equal(parentOf("hash verify"), "client authentication");
    assert.equal(parentOf("grant"), "POST /oauth/token");
    assert.equal(parentOf("signature"), "POST /oauth/token");
    const stored = trace.filter(({ attributes }) => attributes["db.system.name"] === "sqlite");
    assert.ok(stored.length > 0, trace.map(({ name }) => name).join());
    const [transaction] = stored.filter(({ name }) => name === "TRANSACTION" || name === "BATCH");
    assert.ok(transaction, stored.map(({ name }) => name).join());
    assert.equal(
      trace.find(({ name }) => name === "grant")?.attributes["postern.grant_type"],
      "client_credentials",
    );
  });

  test("writes the trace ids of a request to its log lines", () => {
    const lines = served
      .out()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    const [line] = lines.filter(({ event }) => event === "token_issued");
    assert.equal(line?.trace_id, caller.trace);
    assert.match(line?.span_id, /^[0-9a-f]{16}$/);
  });

  test("sends metrics with the names of /metrics and their units, and histograms by bucket", async () => {
    const found = (name: string) => collector.metrics().findLast((metric) => metric.name === name);
    const seconds = "postern_http_request_duration_seconds";
    await until(() => (found("postern_tokens_issued_total")?.points.length ?? 0) > 0, "a token is counted");
    await until(() => (found(seconds)?.points.length ?? 0) > 0, "its duration is counted");
    const [point] = found("postern_tokens_issued_total")?.points ?? [];
    assert.equal(point?.asDouble, 1);
    const [duration = {}] = found(seconds)?.points ?? [];
    assert.equal(found(seconds)?.unit, "s");
    const counts = (duration.bucketCounts as unknown[]).map(Number);
    assert.equal(counts.length, (duration.explicitBounds as unknown[]).length + 1);
    assert.equal(
      counts.reduce((sum, each) => sum + each, 0),
      Number(duration.count),
    );
    assert.ok(found("process_resident_memory_bytes"));
  });

  test("sends pending spans on stop, as protobuf unless JSON is set; a missing collector fails no request", async () => {
    const other = await otlpReceiver();
    const quiet = await servedProcess({
      environment: {
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${other.url}/v1/traces`,
        OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://127.0.0.1:9/v1/metrics",
        OTEL_METRIC_EXPORT_INTERVAL: "300",
      },
    });
    const reported = () => quiet.out().includes("the collector did not accept telemetry");
    await until(reported, "the log tells of the collector that is away");
    assert.equal(await requestToken(quiet), 401);
    assert.equal((await quiet.stop()).code, 0);
    const [sent] = other.requests;
    assert.equal(sent?.path, "/v1/traces");
    assert.equal(sent?.type, "application/x-protobuf");
    const holds = (bytes: Buffer | string) => sent?.body.includes(bytes);
    assert.ok(holds(Buffer.from(caller.trace, "hex")) && holds("POST /oauth/token"));
  });
});
