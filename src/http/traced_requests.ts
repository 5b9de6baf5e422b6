/** The attributes of spans contain nothing that the caller sent except the method; the route is a pattern. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { headerText, routeOf } from "./request_origin.ts";

export interface RequestTracing {
  begin(
    start: {
      readonly name: string;
      readonly kind: "server";
      readonly facts: {
        readonly "http.request.method": string;
        readonly "http.route": string;
        readonly "postern.request_id": string;
      };
    },
    traceparent: string | undefined,
  ): RequestSpan;
}

interface RequestSpan {
  within<R>(work: () => R): R;
  end(facts: { readonly "http.response.status_code": number; readonly "error.type"?: string }): void;
}

/** Probes request these paths every few seconds, and their spans would say nothing about the load. */
const untraced: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** Adds the tracing hooks. Call this before any other hook is added. */
export function traceRequests(app: FastifyInstance, tracing: RequestTracing): void {
  const spans = new WeakMap<FastifyRequest, RequestSpan>();
  app.addHook("onRequest", (request, _reply, done) => {
    const route = routeOf(request);
    if (untraced.has(route)) {
      done();
      return;
    }
    const { method, id } = request;
    const facts = { "http.request.method": method, "http.route": route, "postern.request_id": id };
    const traceparent = headerText(request, "traceparent");
    const span = tracing.begin({ name: `${method} ${route}`, kind: "server", facts }, traceparent);
    spans.set(request, span);
    span.within(done);
  });
  // The body arrives in the asynchronous context of its connection, so the span's context is restored here.
  app.addHook("preValidation", (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.within(done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    const { statusCode } = reply;
    spans.get(request)?.end({
      "http.response.status_code": statusCode,
      ...(statusCode >= 500 && { "error.type": String(statusCode) }),
    });
    done();
  });
}
