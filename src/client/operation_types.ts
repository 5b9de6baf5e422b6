import type { components, operations } from "./generated/types.ts";

export type Schemas = components["schemas"];

export type OperationId = keyof operations;

type Parameters<O extends OperationId> = operations[O]["parameters"];

type Query<O extends OperationId> = [NonNullable<Parameters<O>["query"]>] extends [never]
  ? unknown
  : NonNullable<Parameters<O>["query"]>;

type Headers<O extends OperationId> = keyof NonNullable<Parameters<O>["header"]>;

/** A record as the client returned it, or its ETag. */
export type State = string | object;

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each attempt; for an export, until its response begins. */
  readonly timeout?: number;
  readonly retries?: number;
}

/** The last argument of a call: query parameters and call options. */
export type Options<O extends OperationId> = Query<O> &
  CallOptions &
  ("If-Match" extends Headers<O>
    ? {
        /** Fails with 412 `stale` if the record has changed since this version. */
        readonly ifMatch?: State;
      }
    : unknown) &
  ("Idempotency-Key" extends Headers<O>
    ? {
        /** The idempotency key, chosen by the caller. Default: a new one for each call. */
        readonly idempotencyKey?: string;
      }
    : unknown) &
  ("If-None-Match" extends Headers<O>
    ? {
        /** A record that was read before; the same object is returned if nothing has changed (304). */
        readonly known?: Answer<O>;
      }
    : unknown);

export const optionNames = ["signal", "timeout", "retries", "ifMatch", "idempotencyKey", "known"] as const;

type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : never;

type Responses<O extends OperationId> = operations[O]["responses"];

export type Answer<O extends OperationId> = [Extract<keyof Responses<O>, 200 | 201 | 202>] extends [never]
  ? undefined
  : JsonOf<Responses<O>[Extract<keyof Responses<O>, 200 | 201 | 202>]>;

export type Body<O extends OperationId> = JsonOf<NonNullable<operations[O]["requestBody"]>>;

export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly answer: "record" | "page" | "lines" | "nothing";
  readonly body?: true;
  readonly keyed?: true;
}
