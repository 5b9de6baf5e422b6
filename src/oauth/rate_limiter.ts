/** Limits on what costs its sender nothing, for each server (POSTERN_THROTTLE). */
import type { Share } from "../records/names/leaky_buckets.ts";
import type { Limited } from "./memory.ts";
import type { AuthorizationServer } from "./server.ts";

/** Whether requests are limited at all: where guesses are not, nothing else is (POSTERN_THROTTLE). */
export function isThrottled({ guesses }: Pick<AuthorizationServer, "guesses">): boolean {
  return guesses !== undefined;
}

/**
 * Takes one from the bucket of each key, and answers whether all had one. The limit is in the memory of this
 * process, so that an anonymous caller fills no table with counters.
 */
export function isAdmitted(
  what: Limited,
  shares: readonly Share[],
  server: Pick<AuthorizationServer, "guesses" | "memory" | "now">,
): boolean {
  return !isThrottled(server) || server.memory.limits[what](shares, server.now()) === undefined;
}
