/**
 * The event loop and the threads that hash have a higher priority than outbound requests, so receivers of
 * notices do not delay a sign-in (FO-3).
 */
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  OutboundError,
  type OutboundErrorKind,
  type OutboundOptions,
  type OutboundRequest,
} from "./outbound.ts";

/** Functions and URLs cannot be cloned for the thread. */
export type ClonedOptions = Omit<OutboundOptions, "resolve" | "proxy"> & {
  readonly proxy: string | undefined;
};

export interface ToThread {
  readonly id: number;
  readonly client: number;
  readonly request: OutboundRequest;
}

export type FromThread = { readonly id: number } & (
  | { readonly answer: OutboundAnswer }
  | { readonly kind: OutboundErrorKind; readonly host: string }
);

export interface OutboundThread {
  /** Create all clients before the first request, which starts the thread. */
  client(options: OutboundOptions): Outbound;
  close(): Promise<void>;
}

/**
 * Returns a thread that has not started. After the thread has failed, requests are sent on the event loop.
 */
export function outboundThread(): OutboundThread {
  const cloned: ClonedOptions[] = [];
  const waiting = new Map<number, PromiseWithResolvers<OutboundAnswer>>();
  let count = 0;
  let worker: Worker | undefined;
  let isBroken = false;

  function begun(): Worker {
    const program = new URL(`./outbound_program${extname(import.meta.url)}`, import.meta.url);
    const made = new Worker(program, { workerData: cloned, execArgv: [], env: {} });
    made.unref();
    made.on("message", (message: FromThread) => {
      const { resolve, reject } = waiting.get(message.id) ?? Promise.withResolvers<OutboundAnswer>();
      waiting.delete(message.id);
      if ("kind" in message) reject(new OutboundError(message.kind, message.host));
      else resolve({ ...message.answer, body: Buffer.from(message.answer.body) });
    });
    // Without a listener, an error in the thread would end the process.
    made.on("error", () => {
      isBroken = true;
    });
    made.on("exit", () => {
      worker = undefined;
      for (const { reject } of waiting.values()) reject(new Error("the thread for outbound requests ended"));
      waiting.clear();
    });
    return made;
  }

  return {
    client(options) {
      const { resolve, proxy, ...rest } = options;
      const client = cloned.push({ ...rest, proxy: proxy?.href }) - 1;
      const onLoop = createOutbound(options);
      return {
        send(request) {
          if (isBroken) return onLoop.send(request);
          worker ??= begun();
          const id = count++;
          const wait = Promise.withResolvers<OutboundAnswer>();
          waiting.set(id, wait);
          worker.postMessage({ id, client, request } satisfies ToThread);
          return wait.promise;
        },
      };
    },
    async close() {
      await worker?.terminate();
    },
  };
}
