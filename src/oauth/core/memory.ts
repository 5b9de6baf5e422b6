/** What a process remembers between requests: everything is listed here, with its bound. */

import type { GuessLimits } from "../../crypto/guess_limits.ts";
import type { OAuthApp, OAuthAppSecret } from "../../records/definition/definition.ts";
import { type LeakyBuckets, leakyBuckets, type Share } from "../../records/names/leaky_buckets.ts";
import type { Rules } from "./rules.ts";

/** What costs its sender nothing and is limited in the memory of each process. */
export type Limited =
  | "pushed_requests"
  | "pushed_visits"
  | "registrations"
  | "client_documents"
  | "client_assertions"
  | "refusals"
  | "mails"
  | "provider_sign_ins";

/** The pushed requests of an app that wait to be used, as they were last counted. */
interface PushCount {
  /** Unix time, milliseconds. */
  readonly at: number;
  /** Pushes that need no further count. */
  left: number;
}

/**
 * Made once for a server and passed with it. The caches of the database belong to the store, those of hosts
 * elsewhere to what reaches them.
 */
export interface ServerMemory {
  /** At most 2,000 buckets each. */
  readonly limits: Readonly<Record<Limited, LeakyBuckets>>;
  /** By the id of the app; at most 1,000. */
  readonly pushes: Map<string, PushCount>;
  /** Answers to revocations that wait for the database; at most 200 wait. */
  readonly waiting: { revocations: number };
  /** Computed once for a row and its settings; a row is remembered for as long as the store caches it. */
  readonly rules: WeakMap<object, WeakMap<OAuthApp, Rules>>;
  /** Client secrets whose hash is being computed; the lanes of the hasher bound them. */
  readonly verifying: Map<string, Promise<OAuthAppSecret | undefined>>;
  /** Skeletons of the names of all registered apps (PR-11), read anew after a minute. */
  app_names?: { readonly read_at: number; readonly skeletons: Promise<ReadonlySet<string>> } | undefined;
}

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
    rules: new WeakMap(),
    verifying: new Map(),
  };
}

/** What the limits of a server are asked of. */
interface Limiting {
  readonly guesses?: GuessLimits | undefined;
  readonly memory: Pick<ServerMemory, "limits">;
  readonly now: () => Date;
}

/** Whether requests are limited at all: where guesses are not, nothing else is (POSTERN_THROTTLE). */
export function isThrottled({ guesses }: Pick<Limiting, "guesses">): boolean {
  return guesses !== undefined;
}

/**
 * Takes one from the bucket of each key, and answers whether all had one. The limit is in the memory of this
 * process, so that an anonymous caller fills no table with counters.
 */
export function isAdmitted(what: Limited, shares: readonly Share[], server: Limiting): boolean {
  return !isThrottled(server) || server.memory.limits[what](shares, server.now()) === undefined;
}
