/** Token buckets, a form of leaky buckets, which limit actions that cost their sender nothing. */

/**
 * `size` is the number of actions in a burst. `every` is the time, in milliseconds, after which one more
 * action is allowed.
 */
export interface Rate {
  readonly size: number;
  readonly every: number;
}

export type Share = readonly [key: string, rate: Rate];

interface Bucket {
  readonly rate: Rate;
  level: number;
  /** When `level` was calculated, in milliseconds since 1970. */
  at: number;
}

export type LeakyBuckets = (shares: readonly Share[], now: Date) => string | undefined;

/**
 * Creates buckets, which are full at first. A call takes one token from the bucket of each key. If a bucket
 * is empty, the call takes no token and returns the key of the first empty bucket.
 */
export function leakyBuckets(most = 2000): LeakyBuckets {
  const buckets = new Map<string, Bucket>();
  const levelOf = ({ level, at, rate }: Bucket, now: number) =>
    Math.min(rate.size, level + Math.max(0, now - at) / rate.every);

  function makeRoom(now: number): void {
    if (buckets.size <= most) return;
    for (const [key, bucket] of buckets) {
      if (levelOf(bucket, now) >= bucket.rate.size) buckets.delete(key);
    }
    for (const key of buckets.keys()) {
      if (buckets.size <= most) break;
      buckets.delete(key);
    }
  }

  return (shares, moment) => {
    const now = moment.getTime();
    const levels: [key: string, rate: Rate, level: number][] = [];
    for (const [key, rate] of shares) {
      const bucket = buckets.get(key);
      // If the clock was set back, the bucket fills from now on rather than from a time in the future.
      if (bucket !== undefined && bucket.at > now) bucket.at = now;
      const level = bucket === undefined ? rate.size : levelOf(bucket, now);
      if (level < 1) return key;
      levels.push([key, rate, level]);
    }
    for (const [key, rate, level] of levels) buckets.set(key, { rate, level: level - 1, at: now });
    makeRoom(now);
    return undefined;
  };
}
