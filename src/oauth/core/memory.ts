/** A process's state between requests: created once for a server, empty. */
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

/** Whether requests are limited at all: where guesses are not, nothing else is (POSTERN_THROTTLE). */
export function isThrottled({ guesses }: Pick<AuthorizationServer, "guesses">): boolean {
  return guesses !== undefined;
}

/**
 * Takes one from the bucket of each key, and returns whether all had one. The limit is in the memory of this
 * process, so that an anonymous caller fills no table with counters.
 */
export function isAdmitted(
  what: Limited,
  shares: readonly Share[],
  server: Pick<AuthorizationServer, "guesses" | "memory" | "now">,
): boolean {
  return !isThrottled(server) || server.memory.limits[what](shares, server.now()) === undefined;
}
