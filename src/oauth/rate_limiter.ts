/** Limits on what costs its sender nothing, for each server (POSTERN_THROTTLE). */
import { leakyBuckets, type Share } from "../records/leaky_buckets.ts";
import type { AuthorizationServer } from "./server.ts";

type Limited = Pick<AuthorizationServer, "guesses" | "now">;

/** Whether requests are limited at all: where guesses are not, nothing else is (POSTERN_THROTTLE). */
export function isThrottled({ guesses }: Pick<Limited, "guesses">): boolean {
  return guesses !== undefined;
}

/**
 * A limit in the memory of this process, so that an anonymous caller fills no table with counters. Takes one
 * from the bucket of each key, and answers whether all had one.
 */
export function rateLimiter(): (shares: readonly Share[], server: Limited) => boolean {
  const buckets = new WeakMap<object, ReturnType<typeof leakyBuckets>>();
  return (shares, server) => {
    if (!isThrottled(server)) return true;
    const take = buckets.get(server) ?? leakyBuckets();
    buckets.set(server, take);
    return take(shares, server.now()) === undefined;
  };
}
