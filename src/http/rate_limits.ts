/**
 * Requests that a credential may send to the management API within a minute (POSTERN_API_RATE_LIMIT),
 * reported as in draft-ietf-httpapi-ratelimit-headers-09. Each process counts separately, in memory.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { detail } from "../errors/details.ts";
import { Problem } from "../errors.ts";

/** Seconds. */
const window = 60;

/** Credentials that are remembered at most; 200 bytes each. */
const mostRemembered = 50_000;

interface Count {
  /** When its minute began, milliseconds. */
  readonly since: number;
  used: number;
}

/** The remaining quota of a credential after a request. */
interface Quota {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the whole quota is available again. */
  readonly reset: number;
}

export interface RateLimits {
  /** Requests of a credential within a minute. */
  readonly limit: number;
  /**
   * Counts `cost` requests of the credential. Throws 429 `quota_exceeded` with `retry_after` if they are too
   * many, and counts none of them then.
   */
  take(request: FastifyRequest, credential: string, cost: number, at: Date): void;
  /** Puts what the request's credential has left into the answer; nothing if it was not counted. */
  addHeaders(request: FastifyRequest, reply: FastifyReply): void;
}

/** A limit of so many requests in a minute; undefined if there is none (0). */
export function rateLimits(limit = 0): RateLimits | undefined {
  if (limit === 0) return undefined;
  const counts = new Map<string, Count>();
  const quotas = new WeakMap<FastifyRequest, Quota>();

  function countOf(credential: string, at: number): Count {
    const known = counts.get(credential);
    // A clock that was set back begins a new minute.
    if (known !== undefined && known.since <= at && at < known.since + window * 1000) return known;
    counts.delete(credential);
    const fresh = { since: at, used: 0 };
    counts.set(credential, fresh);
    // In order of their minutes, oldest first.
    for (const first of counts.keys()) {
      if (counts.size <= mostRemembered) break;
      counts.delete(first);
    }
    return fresh;
  }

  return {
    limit,
    take(request, credential, cost, at) {
      const count = countOf(credential, at.getTime());
      const reset = Math.max(1, Math.ceil((count.since + window * 1000 - at.getTime()) / 1000));
      const fits = count.used + cost <= limit;
      if (fits) count.used += cost;
      quotas.set(request, { limit, remaining: limit - count.used, reset });
      if (fits) return;
      const explanation = detail("quota_exceeded", { requests: limit, seconds: window });
      throw new Problem("quota_exceeded", explanation, [], { retry_after: reset });
    },
    addHeaders(request, reply) {
      const quota = quotas.get(request);
      if (quota === undefined) return;
      reply.header("ratelimit-policy", `"credential";q=${quota.limit};w=${window}`);
      reply.header("ratelimit", `"credential";r=${quota.remaining};t=${quota.reset}`);
    },
  };
}

/** The counter of requests. */
interface Counting {
  readonly rate_limits?: RateLimits | undefined;
  readonly server: { readonly now: () => Date };
}

/** Counts further requests of a caller that sends several at once. Throws 429 `quota_exceeded`. */
export function countOperations(
  request: FastifyRequest,
  cost: number,
  { rate_limits, server }: Counting,
): void {
  const credential = request.counted_as;
  if (credential === undefined || cost < 1) return;
  rate_limits?.take(request, credential, cost, server.now());
}
