/** The types of calls, taken from the operations of the OpenAPI document. */
import type { components, operations } from "./generated/types.ts";

export type Schemas = components["schemas"];

export type OperationId = keyof operations;

type Parameters<O extends OperationId> = operations[O]["parameters"];

type Query<O extends OperationId> = [NonNullable<Parameters<O>["query"]>] extends [never]
  ? unknown
  : NonNullable<Parameters<O>["query"]>;

type Headers<O extends OperationId> = keyof NonNullable<Parameters<O>["header"]>;

/** A record as the client answered it, or its ETag. */
export type State = string | object;

/** How a call is made. */
export interface CallOptions {
  /** Ends the call; it rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for each attempt; for an export, until its answer begins. */
  readonly timeout?: number;
  /** How often it is tried again where that is safe. */
  readonly retries?: number;
}

/** What a call takes beside the path and the body: parameters of the query, and how it is made. */
export type Options<O extends OperationId> = Query<O> &
  CallOptions &
  ("If-Match" extends Headers<O>
    ? {
        /** Carried out only on this state of the record; 412 `stale` on any other. */
        readonly ifMatch?: State;
      }
    : unknown) &
  ("Idempotency-Key" extends Headers<O>
    ? {
        /** A word of the caller's own; without one the client makes one for each call. */
        readonly idempotencyKey?: string;
      }
    : unknown) &
  ("If-None-Match" extends Headers<O>
    ? {
        /** The record as it was read before: it is answered as it is where nothing has changed (304). */
        readonly known?: Answer<O>;
      }
    : unknown);

/** The names in {@link Options} that are no parameter of a query. */
export const optionNames = ["signal", "timeout", "retries", "ifMatch", "idempotencyKey", "known"] as const;

type JsonOf<R> = R extends { content: { "application/json": infer J } } ? J : never;

type Responses<O extends OperationId> = operations[O]["responses"];

/** What a call answers when it succeeds. */
export type Answer<O extends OperationId> = [Extract<keyof Responses<O>, 200 | 201 | 202>] extends [never]
  ? undefined
  : JsonOf<Responses<O>[Extract<keyof Responses<O>, 200 | 201 | 202>]>;

/** The body of a call. */
export type Body<O extends OperationId> = JsonOf<NonNullable<operations[O]["requestBody"]>>;

/** How a call goes over the wire. */
export interface Call {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With the names of its values in braces. */
  readonly path: string;
  readonly answer: "record" | "page" | "lines" | "nothing";
  readonly body?: true;
  /** Whether an idempotency key makes it safe to send again. */
  readonly keyed?: true;
}
