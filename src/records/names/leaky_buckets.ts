/** Leaky buckets: limits on actions that cost their sender nothing. */

/** So many at once, and one more each so many milliseconds. */
export interface Rate {
  readonly size: number;
  readonly every: number;
}

/** A key that is counted against its rate. */
export type Share = readonly [key: string, rate: Rate];

interface Bucket {
  readonly rate: Rate;
  level: number;
  /** Unix time, milliseconds. */
  at: number;
}

/** Takes one from the bucket of each key; answers the key of the first that has none. */
export type LeakyBuckets = (shares: readonly Share[], now: Date) => string | undefined;

/**
 * Takes one from the bucket of each key. When a bucket is empty, takes from none and answers its key, the
 * first such. A bucket is made full. At most `most` are remembered: the full ones make room first, then those
 * that were made first.
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
      // A clock that went back fills it from now on, not from a time in the future.
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
