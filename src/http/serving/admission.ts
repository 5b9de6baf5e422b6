/**
 * Decides which requests are answered now and which wait (H-62). Limits apply per source: an IPv4 address, or
 * an IPv6 network (/64).
 */
import { AsyncResource } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { OverloadedError } from "../../errors.ts";
import { sourceOf } from "../../records/definition/request_origin.ts";
import { routeOf } from "../request_origin.ts";

export interface AdmissionLimits {
  /**
   * Maximum number of requests of one source that are answered concurrently. A response that is ready but not
   * yet read by the caller does not count.
   */
  readonly answered: number;
  readonly waiting: number;
}

/**
 * The limits are high, because an office, a carrier or an unconfigured proxy sends many requests from one IP
 * address.
 */
const usualLimits: AdmissionLimits = { answered: 64, waiting: 1024 };

/** Seconds after which a refused caller may try again. */
const retryAfter = 1;

/**
 * Probes are not limited, because a load balancer may send them from the IP address that all clients share.
 */
const unbounded: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

interface Source {
  answered: number;
  readonly waiting: Set<() => void>;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly client_ip: string | null;
}

/**
 * `go` receives the function `leave`, which must be called when the response is ready. Neither `go` nor
 * `refuse` is called if the connection was closed in the meantime.
 */
export type Admit = (
  arrived: Arrived,
  go: (leave: () => void) => void,
  refuse: (error: OverloadedError) => void,
) => void;

/** Limits how many requests of one source are answered concurrently. */
export function admission(limits = usualLimits): Admit {
  const sources = new Map<string, Source>();

  function sourceNamed(name: string): Source {
    const known = sources.get(name);
    if (known !== undefined) return known;
    const made: Source = { answered: 0, waiting: new Set() };
    sources.set(name, made);
    return made;
  }

  function release(name: string, source: Source): void {
    source.answered -= 1;
    const [next] = source.waiting;
    if (next !== undefined) next();
    else if (source.answered === 0) sources.delete(name);
  }

  return ({ request, response, client_ip }, go, refuse) => {
    afterNews(() => {
      if (isAbandoned(request)) return;
      const name = sourceOf(client_ip);
      const source = sourceNamed(name);
      const admit = () => {
        source.answered += 1;
        let isOver = false;
        go(() => {
          if (isOver) return;
          isOver = true;
          release(name, source);
        });
      };
      if (source.answered < limits.answered) {
        admit();
        return;
      }
      if (source.waiting.size >= limits.waiting) {
        refuse(new OverloadedError(retryAfter, "too many requests from one address are waiting"));
        return;
      }
      // The end of another request calls this function, so it is bound to the asynchronous context of its own
      // request.
      const next = AsyncResource.bind(() => {
        response.off("close", leave);
        source.waiting.delete(next);
        admit();
      });
      const leave = () => source.waiting.delete(next);
      source.waiting.add(next);
      response.once("close", leave);
    });
  };
}

/** Limits the requests that the framework handles, except probes. Call this before routes are added. */
export function admitRequests(app: FastifyInstance, admit: Admit): void {
  const places = new WeakMap<FastifyRequest, () => void>();
  // A request gives up its place when its response is ready. A caller that reads nothing would otherwise keep
  // the place forever.
  app.addHook("onSend", (request, _reply, payload, done) => {
    places.get(request)?.();
    done(null, payload);
  });
  app.addHook("preHandler", (request, reply, done) => {
    if (unbounded.has(routeOf(request))) {
      done();
      return;
    }
    const { raw, client_ip } = request;
    const go = (leave: () => void) => {
      places.set(request, leave);
      // These events also free the place if a response bypasses the hook, or if the caller disconnects before
      // the response is ready.
      reply.raw.once("finish", leave).once("close", leave);
      done();
    };
    admit({ request: raw, response: reply.raw, client_ip }, go, done);
  });
}

/**
 * Runs `work` two event loop turns later, when the server knows whether the client has closed the connection.
 */
function afterNews(work: () => void): void {
  setImmediate(() => setImmediate(work));
}

function isAbandoned({ socket }: IncomingMessage): boolean {
  return socket.destroyed || socket.writableEnded;
}
