/**
 * Limits how many requests a credential may send to the management API per minute (POSTERN_API_RATE_LIMIT),
 * reported as in draft-ietf-httpapi-ratelimit-headers-09. Each process counts separately, in memory.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { detail } from "../errors/details.ts";
import { Problem } from "../errors.ts";

/** Seconds in which the requests of a credential are counted. */
const window = 60;

const mostRemembered = 50_000;

interface Count {
  readonly since: number;
  used: number;
}

interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
}

export interface RateLimits {
  readonly limit: number;
  /**
   * Counts `cost` requests. If they exceed the limit, throws 429 `quota_exceeded` with `retry_after` and
   * counts none of them.
   */
  take(request: FastifyRequest, credential: string, cost: number, at: Date): void;
  addHeaders(request: FastifyRequest, reply: FastifyReply): void;
}

export function rateLimits(limit = 0): RateLimits | undefined {
  if (limit === 0) return undefined;
  const counts = new Map<string, Count>();
  const quotas = new WeakMap<FastifyRequest, Quota>();

  function countOf(credential: string, at: number): Count {
    const known = counts.get(credential);
    // A new minute also begins if the clock was set back.
    if (known !== undefined && known.since <= at && at < known.since + window * 1000) return known;
    counts.delete(credential);
    const fresh = { since: at, used: 0 };
    counts.set(credential, fresh);
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

interface Counting {
  readonly rate_limits?: RateLimits | undefined;
  readonly server: { readonly now: () => Date };
}

/**
 * Counts the operations of a bulk request against the caller's rate limit, in addition to the request itself.
 * Throws 429 `quota_exceeded`.
 */
export function countOperations(
  request: FastifyRequest,
  cost: number,
  { rate_limits, server }: Counting,
): void {
  const credential = request.counted_as;
  if (credential === undefined || cost < 1) return;
  rate_limits?.take(request, credential, cost, server.now());
}
