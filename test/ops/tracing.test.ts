import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace";
import { createTracing, inSpan, type TracingOptions } from "../../src/ops/tracing.ts";

const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
const span = "00f067aa0ba902b7";
const start = { name: "GET /", kind: "server" } as const;

async function traced(sampling: Partial<TracingOptions["sampling"]> = {}, propagates = true) {
  const exporter = new InMemorySpanExporter();
  const tracing = await createTracing({
    processors: [new SimpleSpanProcessor({ exporter })],
    resource: resourceFromAttributes({}),
    sampling: { ratio: 1, by_parent: false, ...sampling },
    propagates,
  });
  return { tracing, exporter, spans: () => exporter.getFinishedSpans() };
}

/** Sends `count` requests with this header, and returns their spans. */
async function requests(
  count: number,
  header: string | undefined,
  ...input: Parameters<typeof traced>
): Promise<readonly { traceId: string; parent: string | undefined; links: number }[]> {
  const { tracing, spans } = await traced(...input);
  for (let made = 0; made < count; made++) tracing.begin(start, header).end();
  return spans().map((each) => ({
    traceId: each.spanContext().traceId,
    parent: each.parentSpanContext?.spanId,
    links: each.links.length,
  }));
}

describe("a request's traceparent header", () => {
  test("H-55: its sampled flag is ignored unless the sampler is parent-based", async () => {
    for (const flags of ["00", "01"]) {
      assert.equal((await requests(1, `00-${trace}-${span}-${flags}`)).length, 1);
      assert.equal((await requests(1, `00-${trace}-${span}-${flags}`, { ratio: 0 })).length, 0);
      const based = await requests(1, `00-${trace}-${span}-${flags}`, { ratio: 0.5, by_parent: true });
      assert.equal(based.length, flags === "01" ? 1 : 0);
    }
    assert.equal((await requests(1, `00-${trace}-${span}-01`, { ratio: 0, by_parent: true })).length, 1);
    assert.equal((await requests(1, undefined, { ratio: 0, by_parent: true })).length, 0);
  });

  test("H-55: with ratio sampling the request starts a new trace, which is linked to the caller's", async () => {
    // Two ids, of which one is sampled at every ratio and the other at none.
    for (const id of [`${"0".repeat(31)}1`, "f".repeat(32)]) {
      const kept = await requests(400, `00-${id}-${span}-01`, { ratio: 0.5 });
      assert.ok(kept.length > 100 && kept.length < 300, `${kept.length} of 400`);
      assert.ok(kept.every((each) => each.traceId !== id && each.parent === undefined && each.links === 1));
    }
  });

  test("is continued if every trace is sampled, and ignored if malformed or if propagation is off", async () => {
    assert.deepEqual(await requests(1, `00-${trace}-${span}-00`), [
      { traceId: trace, parent: span, links: 0 },
    ]);
    const malformed = [
      undefined,
      "",
      `01-${trace}-${span}-01`,
      `00-${trace.toUpperCase()}-${span}-01`,
      `00-${"0".repeat(32)}-${span}-01`,
      `00-${trace}-${"0".repeat(16)}-01`,
      `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
      `00-${trace}-${span}-01\n`,
    ];
    for (const header of malformed) {
      const [made] = await requests(1, header);
      assert.notEqual(made?.traceId, trace, String(header));
      assert.equal(made?.parent, undefined);
    }
    const [made] = await requests(1, `00-${trace}-${span}-01`, {}, false);
    assert.notEqual(made?.traceId, trace);
  });
});

describe("trace spans", () => {
  test("are children of their operation's span, and the outgoing header names their parent", async () => {
    const { tracing, spans } = await traced();
    const request = tracing.begin(start, undefined);
    const header = await request.within(() =>
      inSpan(tracing, { name: "outer" }, async () => {
        await inSpan(tracing, { name: "inner" }, async () => {});
        return tracing.traceparent();
      }),
    );
    request.end();
    const [inner, outer, root] = spans();
    assert.equal(inner?.parentSpanContext?.spanId, outer?.spanContext().spanId);
    assert.equal(outer?.parentSpanContext?.spanId, root?.spanContext().spanId);
    assert.equal(header, `00-${root?.spanContext().traceId}-${outer?.spanContext().spanId}-01`);
    assert.equal(tracing.ids(), undefined);
  });

  test("are not created outside a request, or in a request that is not sampled", async () => {
    const outside = await traced();
    await inSpan(outside.tracing, { name: "background" }, async () => {});
    assert.deepEqual(outside.spans(), []);
    const dropped = await traced({ ratio: 0 });
    const request = dropped.tracing.begin(start, undefined);
    await request.within(() => inSpan(dropped.tracing, { name: "inner" }, async () => {}));
    request.end();
    assert.deepEqual(dropped.spans(), []);
  });

  test("H-55: one request has at most 500 spans, however many operations it runs", async () => {
    const { tracing, spans } = await traced();
    const request = tracing.begin(start, undefined);
    await request.within(async () => {
      for (let made = 0; made < 600; made++) await inSpan(tracing, { name: "statement" }, async () => {});
    });
    request.end();
    assert.equal(spans().length, 501);
  });

  test("H-54: an error is reported by its name or refusal code, never its text; values are truncated", async () => {
    const { tracing, spans } = await traced();
    const request = tracing.begin(start, undefined);
    const secret = "a secret that a message quotes";
    const failing = (error: Error) =>
      request.within(() => assert.rejects(inSpan(tracing, { name: "work" }, () => Promise.reject(error))));
    await failing(new TypeError(secret));
    await failing(Object.assign(new Error(secret), { name: "OAuthError", code: "invalid_grant" }));
    await failing(Object.assign(new Error("x"), { name: secret }));
    request.end({ "server.address": "h".repeat(2000) });
    assert.deepEqual(
      spans().map(({ attributes, events, status }) => [
        attributes["error.type"],
        events.length,
        status.message,
      ]),
      [
        ["TypeError", 0, undefined],
        ["invalid_grant", 0, undefined],
        ["error", 0, undefined],
        [undefined, 0, undefined],
      ],
    );
    assert.equal(String(spans().at(-1)?.attributes["server.address"]).length, 256);
  });
});
