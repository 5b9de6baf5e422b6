/** A typed client of the management API; the exports of `@postern/client`. */
import { type ClientOptions, exchange, type Send } from "./exchange.ts";
import { callsOfClient, callsOfGroups, type Postern } from "./generated/calls.ts";
import { listing, type Page } from "./listing.ts";
import { type Call, type CallOptions, optionNames } from "./operation_types.ts";
import { ApiProblem } from "./problems.ts";

export { etagOf } from "./etags.ts";
export type { ClientOptions, Credential } from "./exchange.ts";
export type * from "./generated/calls.ts";
export type { Listing } from "./listing.ts";
export type { Answer, Body, CallOptions, OperationId, Options, Schemas } from "./operation_types.ts";
export type { FieldError, ProblemCode, StepUp } from "./problems.ts";
export { ApiProblem, ConnectionError, TimeoutError } from "./problems.ts";

type Method = (...values: unknown[]) => unknown;

const mostEdits = 5;

/**
 * Returns a client of the server at `url`. Methods reject with `ApiProblem` for an error response, and with
 * `ConnectionError` without a complete response. A `signal` that ends a call rejects it with its reason.
 * Throws `TypeError` for an invalid URL.
 */
export function createClient(options: ClientOptions): Postern {
  const send = exchange(options);
  const groups = Object.entries(callsOfGroups).map(([name, calls]) => [name, groupOf(send, calls)]);
  return { ...methodsOf(send, callsOfClient), ...Object.fromEntries(groups) };
}

function methodsOf(send: Send, calls: Readonly<Record<string, Call>>): Record<string, Method> {
  return Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, methodOf(send, call)]));
}

function groupOf(send: Send, calls: Readonly<Record<string, Call>>): Record<string, Method> {
  const methods = methodsOf(send, calls);
  const { get, update } = methods;
  if (get === undefined || update === undefined) return methods;
  return { ...methods, edit: editing(get, update) };
}

function methodOf(send: Send, call: Call): Method {
  const values = call.path.split("{").length - 1;
  return (...input) => {
    const path = input.slice(0, values) as string[];
    const body = call.body ? input[values] : undefined;
    const options = input[values + (call.body ? 1 : 0)] ?? {};
    const names: readonly string[] = optionNames;
    const entries = Object.entries(options);
    const query = Object.fromEntries(entries.filter(([name]) => !names.includes(name)));
    const own = Object.fromEntries(entries.filter(([name]) => names.includes(name)));
    const sent = { ...own, query, ...(body !== undefined && { body }) };
    if (call.answer === "page")
      return listing((cursor) => {
        const page = { ...sent, query: { ...query, ...(cursor !== undefined && { cursor }) } };
        return send(call, path, page) as Promise<Page<unknown>>;
      });
    return call.answer === "lines" ? linesOf(() => send(call, path, sent)) : send(call, path, sent);
  };
}

async function* linesOf(ask: () => Promise<unknown>): AsyncGenerator<unknown> {
  yield* (await ask()) as AsyncIterable<unknown>;
}

function editing(get: Method, update: Method): Method {
  return async (id, change, options: unknown) => {
    const own = (options ?? {}) as CallOptions;
    for (let tried = 1; ; tried += 1) {
      const record = (await get(id, own)) as object;
      const body = (change as (record: object) => object | undefined)(record);
      if (body === undefined) return record;
      try {
        return await update(id, body, { ...own, ifMatch: record });
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== "stale" || tried === mostEdits) throw error;
      }
    }
  };
}
