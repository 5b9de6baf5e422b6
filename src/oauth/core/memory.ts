import { leakyBuckets, type Share } from "../../records/names/leaky_buckets.ts";
import type { AuthorizationServer, Limited, ServerMemory } from "./server.ts";

export function serverMemory(): ServerMemory {
  return {
    limits: {
      pushed_requests: leakyBuckets(),
      pushed_visits: leakyBuckets(),
      registrations: leakyBuckets(),
      client_documents: leakyBuckets(),
      client_assertions: leakyBuckets(),
      refusals: leakyBuckets(),
      mails: leakyBuckets(),
      provider_sign_ins: leakyBuckets(),
    },
    pushes: new Map(),
    waiting: { revocations: 0 },
    offers: new WeakMap(),
    verifying: new Map(),
  };
}

/**
 * Returns whether requests are limited. `POSTERN_THROTTLE=off` switches off the limit on guesses, and with it
 * every other limit.
 */
export function isThrottled({ guesses }: Pick<AuthorizationServer, "guesses">): boolean {
  return guesses !== undefined;
}

/**
 * Returns whether one more action is within all the given rate limits, and if so counts it. The counters are
 * in this process's memory, so anonymous callers cannot fill a table with counters.
 */
export function isAdmitted(
  what: Limited,
  shares: readonly Share[],
  server: Pick<AuthorizationServer, "guesses" | "memory" | "now">,
): boolean {
  return !isThrottled(server) || server.memory.limits[what](shares, server.now()) === undefined;
}
