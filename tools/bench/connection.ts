import { connect, type Socket } from "node:net";
import { type HttpResponse, readResponse } from "./http_response.ts";

export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  /** The pause between a response and the next request. */
  readonly pause_ms: number;
  /** Returns the bytes of the next request; undefined if none are left. */
  readonly nextRequest: () => Buffer | undefined;
  /** Called with a response, and the milliseconds from sending the request to reading the whole response. */
  readonly onAnswer: (response: HttpResponse, latency_ms: number) => void;
  /** Called if a request got no usable response. */
  readonly onError: (reason: string) => void;
}

export interface Connection {
  /** Returns whether a request is waiting for its response. */
  readonly waiting: () => boolean;
  readonly close: () => void;
}

/**
 * Pause after a failure, so that a server that refuses connections does not get thousands of attempts per
 * second.
 */
const reconnectDelay_ms = 10;

/**
 * Sends requests over one persistent connection, each after the previous response was read, and
 * reconnects if the server closes it.
 */
export function openConnection({
  host,
  port,
  pause_ms,
  nextRequest,
  onAnswer,
  onError,
}: ConnectionOptions): Connection {
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let waiting = false;
  let sentAt = 0;
  let received: Buffer | undefined;

  function send(): void {
    const request = nextRequest();
    if (request === undefined) {
      close();
      return;
    }
    waiting = true;
    received = undefined;
    sentAt = performance.now();
    socket?.write(request);
  }

  function receive(chunk: Buffer): void {
    received = received === undefined ? chunk : Buffer.concat([received, chunk]);
    const response = readResponse(received);
    if (response === undefined) return;
    if (!waiting) throw new Error("a response arrived without a request");
    waiting = false;
    onAnswer(response, performance.now() - sentAt);
    if (!response.keep_alive) reopen(pause_ms);
    else if (pause_ms > 0) timer = setTimeout(send, pause_ms);
    else send();
  }

  function fail(reason: string): void {
    if (closed) return;
    waiting = false;
    onError(reason);
    reopen(reconnectDelay_ms);
  }

  function reopen(delay_ms: number): void {
    socket?.destroy();
    timer = setTimeout(open, delay_ms);
  }

  function open(): void {
    if (closed) return;
    const opened = connect({ host, port, noDelay: true });
    socket = opened;
    // Late events of an abandoned socket do not concern the current request.
    const current = () => opened === socket && !opened.destroyed;
    opened.on("connect", send);
    opened.on("data", (chunk: Buffer) => {
      if (!current()) return;
      try {
        receive(chunk);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
    opened.on("end", () => current() && fail("the connection was closed before the response"));
    opened.on("error", (error) => opened === socket && fail(error.message));
  }

  function close(): void {
    closed = true;
    waiting = false;
    clearTimeout(timer);
    socket?.destroy();
  }

  open();
  return { waiting: () => waiting, close };
}
