/**
 * Spans of the server's work, sent over OTLP. Attributes are the server's own names and numbers, never input
 * of a caller (H-54).
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { Attributes, Context, Link, Span, SpanContext } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import type { SpanProcessor } from "@opentelemetry/sdk-trace";

export interface SpanFacts {
  readonly "http.request.method"?: string;
  /** The pattern of the route, never the path. */
  readonly "http.route"?: string;
  readonly "http.response.status_code"?: number;
  readonly "server.address"?: string;
  readonly "db.system.name"?: "sqlite" | "postgresql";
  readonly "db.operation.name"?: string;
  readonly "db.collection.name"?: string;
  readonly "db.operation.batch.size"?: number;
  readonly "error.type"?: string;
  readonly "postern.request_id"?: string;
  readonly "postern.grant_type"?: string;
  readonly "postern.client_authentication"?: string;
  readonly "postern.hash.lane"?: string;
  readonly "postern.signature.algorithm"?: string;
}

export interface SpanStart {
  readonly name: string;
  readonly kind?: "server" | "client" | "internal";
  readonly facts?: SpanFacts;
}

export interface OpenSpan {
  within<R>(work: () => R): R;
  end(facts?: SpanFacts): void;
}

export interface Tracing {
  /** `traceparent` is the header of that name (W3C Trace Context). */
  begin(start: SpanStart, traceparent: string | undefined): OpenSpan;
  /** Undefined if there is no sampled current span, or if the request already has `mostSpans` spans. */
  open(start: SpanStart): OpenSpan | undefined;
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  traceparent(): string | undefined;
  /** Sends waiting spans, for at most `maxWait` milliseconds. */
  close(maxWait: number): Promise<void>;
}

export interface TracingOptions {
  readonly processors: readonly SpanProcessor[];
  readonly resource: Resource;
  readonly sampling: { readonly ratio: number; readonly by_parent: boolean };
  readonly propagates: boolean;
}

/** Maximum number of spans of one request, which may execute very many database statements. */
const mostSpans = 500;
const longestValue = 256;

interface Active {
  readonly context: Context;
  readonly span: SpanContext;
  readonly kept: boolean;
  readonly budget: { left: number };
}

const traceFlagSampled = 1;
const parentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

function callersSpan(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = parentPattern.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & traceFlagSampled, isRemote: true };
}

function bounded(facts: SpanFacts): Attributes {
  const short = (value: unknown) => (typeof value === "string" ? value.slice(0, longestValue) : value);
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, short(value)])) as Attributes;
}

/** Error messages are not used, because they may contain input of a caller. */
function errorType(error: unknown): string {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  const refused = name === "OAuthError" || name === "ReplayError" || name === "Problem";
  const type = refused ? code : name;
  return typeof type === "string" && /^\w{1,60}$/.test(type) ? type : "error";
}

/** Runs the work in a child of the current span, if that is sampled. */
export async function inSpan<R>(
  tracing: Tracing,
  start: SpanStart,
  work: () => Promise<R>,
  factsOf: (answer: R) => SpanFacts = () => ({}),
): Promise<R> {
  const span = tracing.open(start);
  if (span === undefined) return work();
  try {
    const answer = await span.within(work);
    span.end(factsOf(answer));
    return answer;
  } catch (error) {
    span.end({ "error.type": errorType(error) });
    throw error;
  }
}

/**
 * Returns tracing with these processors. Registers nothing globally, because the process may have its own
 * tracing.
 */
export async function createTracing({
  processors,
  resource,
  sampling,
  propagates,
}: TracingOptions): Promise<Tracing> {
  const [{ ROOT_CONTEXT, SpanKind, SpanStatusCode, trace }, sdk] = await Promise.all([
    import("@opentelemetry/api"),
    import("@opentelemetry/sdk-trace"),
  ]);
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };
  const root =
    sampling.ratio === 1
      ? new sdk.AlwaysOnSampler()
      : sampling.ratio === 0
        ? new sdk.AlwaysOffSampler()
        : new sdk.TraceIdRatioBasedSampler(sampling.ratio);
  const provider = new sdk.TracerProvider({
    // A child span follows the sampling decision of its parent in this process. The decision of a caller
    // counts only with `by_parent`.
    sampler: new sdk.ParentBasedSampler({
      root,
      ...(sampling.by_parent ? {} : { remoteParentSampled: root, remoteParentNotSampled: root }),
    }),
    resource,
    spanLimits: { attributeValueLengthLimit: longestValue, attributeCountLimit: 16, linkCountLimit: 1 },
    spanProcessors: [...processors],
  });
  const tracer = provider.getTracer("postern");
  const active = new AsyncLocalStorage<Active>();

  function opened(
    { name, kind = "internal", facts = {} }: SpanStart,
    parent: Context,
    budget: Active["budget"],
    links: Link[] = [],
  ): OpenSpan {
    const options = { kind: kinds[kind], attributes: bounded(facts), links };
    const span: Span = tracer.startSpan(name.slice(0, longestValue), options, parent);
    const inside: Active = {
      context: trace.setSpan(parent, span),
      span: span.spanContext(),
      kept: span.isRecording(),
      budget,
    };
    return {
      within: (work) => active.run(inside, work),
      end(ended = {}) {
        span.setAttributes(bounded(ended));
        if (ended["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  return {
    begin(start, traceparent) {
      const caller = propagates ? callersSpan(traceparent) : undefined;
      const budget = { left: mostSpans };
      if (caller === undefined) return opened(start, ROOT_CONTEXT, budget);
      // The span starts a new trace that links to the caller's. Callers choose their trace IDs, so sampling
      // by those would let them choose the sampled traces.
      if (!sampling.by_parent && sampling.ratio !== 1) {
        return opened(start, ROOT_CONTEXT, budget, [{ context: caller }]);
      }
      return opened(start, trace.setSpanContext(ROOT_CONTEXT, caller), budget);
    },
    open(start) {
      const around = active.getStore();
      if (around === undefined || !around.kept || around.budget.left <= 0) return undefined;
      around.budget.left -= 1;
      return opened(start, around.context, around.budget);
    },
    ids() {
      const { span } = active.getStore() ?? {};
      return span && { trace_id: span.traceId, span_id: span.spanId };
    },
    traceparent() {
      const { span } = active.getStore() ?? {};
      if (!propagates || span === undefined) return undefined;
      const flags = (span.traceFlags & traceFlagSampled).toString(16).padStart(2, "0");
      return `00-${span.traceId}-${span.spanId}-${flags}`;
    },
    async close(maxWait) {
      const late = new Promise<void>((resolve) => setTimeout(resolve, maxWait).unref());
      await Promise.race([provider.shutdown().catch(() => {}), late]);
    },
  };
}
