/** A collector that receives OTLP over HTTP, as JSON or as protobuf, and keeps what it received. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { atEnd } from "./at_end.ts";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string };
}

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit: string;
  /** The points in the JSON form of OTLP. */
  readonly points: readonly Record<string, unknown>[];
}

export interface OtlpReceiver {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  readonly requests: { readonly path: string; readonly type: string; readonly body: Buffer }[];
  /** Returns the spans that arrived as JSON. */
  spans(): ReceivedSpan[];
  metrics(): ReceivedMetric[];
}

const textsOf = (attributes: readonly Attribute[] = []): Record<string, string> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, String(value.stringValue ?? value.intValue ?? "")]),
  );

export async function otlpReceiver(): Promise<OtlpReceiver> {
  const requests: { path: string; type: string; body: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    requests.push({ path: request.url ?? "", type: request.headers["content-type"] ?? "", body });
    response.writeHead(200, { "content-type": request.headers["content-type"] ?? "" }).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.close();
    server.closeAllConnections();
  });
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of OTLP, of which the tests read a part
  const documents = (path: string): any[] =>
    requests
      .filter((each) => each.path === path && each.type.includes("json"))
      .map(({ body }) => JSON.parse(body.toString()));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () =>
      documents("/v1/traces").flatMap(({ resourceSpans }) =>
        resourceSpans.flatMap(
          (each: { scopeSpans: { spans: (ReceivedSpan & { attributes: Attribute[] })[] }[] }) =>
            each.scopeSpans.flatMap(({ spans }) =>
              spans.map((span) => ({
                ...span,
                parentSpanId: span.parentSpanId || undefined,
                attributes: textsOf(span.attributes as unknown as Attribute[]),
              })),
            ),
        ),
      ),
    metrics: () =>
      documents("/v1/metrics").flatMap(({ resourceMetrics }) =>
        resourceMetrics.flatMap(
          (each: { scopeMetrics: { metrics: Record<string, { dataPoints: [] }>[] }[] }) =>
            each.scopeMetrics.flatMap(({ metrics }) =>
              metrics.map((metric) => ({
                name: String(metric.name),
                unit: String(metric.unit ?? ""),
                points: (metric.sum ?? metric.gauge ?? metric.histogram)?.dataPoints ?? [],
              })),
            ),
        ),
      ),
  };
}
