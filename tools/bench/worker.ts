/** One connection of the load generator, which sends the steps of a Work one request after the other. */
import type { HttpResponse } from "./http_response.ts";
import type { Step, Work } from "./load_plan.ts";

export interface Worker {
  readonly carried: () => string;
  /** Returns the bytes of the next request; undefined if none are left. */
  nextRequest(): Buffer | undefined;
  onAnswer(response: HttpResponse, latency_ms: number): void;
  onError(reason: string): void;
}

export interface WorkListener {
  /**
   * Called when all steps got correct responses. `text` returns the body of the last response, or its
   * head if its status is not 200.
   */
  onDone(latency_ms: number, text: () => string): void;
  onStatus(status: number): void;
  onError(reason: string): void;
}

/** Returns the workers of all connections. `host` is the Host header of their requests. */
export function workersOf(work: Work, host: string, listener: WorkListener): Worker[] {
  const steps = work.steps.map((step) => prepare(step, host));
  return Array.from({ length: work.connections }, (_, index) =>
    newWorker(index, steps, work.carried?.[index] ?? "", listener),
  );
}

interface PreparedStep {
  readonly request: (connection: number, carried: string) => Buffer | undefined;
  readonly status: number;
  readonly parts: readonly Buffer[];
  readonly carry: RegExp | undefined;
}

function newWorker(
  index: number,
  steps: readonly PreparedStep[],
  seed: string,
  listener: WorkListener,
): Worker {
  let carried = seed;
  let at = 0;
  let spent_ms = 0;

  function restart(): void {
    at = 0;
    spent_ms = 0;
  }

  function fail(reason: string): void {
    listener.onError(reason);
    restart();
  }

  return {
    carried: () => carried,
    nextRequest: () => steps[at]?.request(index, carried),
    onAnswer({ status, head, body }, latency_ms) {
      const step = steps[at];
      if (step === undefined) throw new Error("a response without a request");
      listener.onStatus(status);
      const where = status === 200 ? body : head;
      if (status !== step.status) return fail(`status ${status}`);
      if (!step.parts.every((part) => where.includes(part))) return fail("not the expected body");
      if (step.carry !== undefined) {
        const found = step.carry.exec(where.toString("latin1"))?.[1];
        if (found === undefined) return fail("the response lacks the value for the next request");
        carried = found;
      }
      spent_ms += latency_ms;
      at += 1;
      if (at < steps.length) return;
      listener.onDone(spent_ms, () => where.toString());
      restart();
    },
    onError: fail,
  };
}

function prepare(step: Step, host: string): PreparedStep {
  return {
    request: requestsOf(step, host),
    status: step.expected.status,
    parts: step.expected.parts.map((part) => Buffer.from(part)),
    carry: step.carry === undefined ? undefined : new RegExp(step.carry),
  };
}

function requestsOf(step: Step, host: string): PreparedStep["request"] {
  const { values, used } = step.variants ?? { values: [""] as const, used: "in_turn" as const };
  let taken = 0;
  const next = (connection: number): number =>
    used === "by_connection"
      ? connection % values.length
      : used === "once"
        ? taken++
        : taken++ % values.length;
  const templates = [step.target, step.body ?? "", ...Object.values(step.headers)];
  if (templates.some((template) => template.includes("{carried}"))) {
    return (connection, carried) => {
      const variant = values[next(connection)];
      return variant === undefined ? undefined : requestBytes(step, host, variant, carried);
    };
  }
  // Prepared in advance, so that sending costs as little as possible.
  const requests = values.map((variant) => requestBytes(step, host, variant, ""));
  return (connection) => requests[next(connection)];
}

function requestBytes(step: Step, host: string, variant: string, carried: string): Buffer {
  const { method, target, headers } = step;
  const fill = (text: string) => text.replace("{variant}", () => variant).replace("{carried}", () => carried);
  const body = fill(step.body ?? "");
  const fields = Object.entries({ Host: host, Connection: "keep-alive", ...headers });
  if (method === "POST") fields.push(["Content-Length", String(Buffer.byteLength(body))]);
  const head = [
    `${method} ${fill(target)} HTTP/1.1`,
    ...fields.map(([name, value]) => `${name}: ${fill(value)}`),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}
