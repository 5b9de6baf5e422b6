/** Returns the middle value, or the mean of the two in the middle; NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/**
 * Returns the smallest value that a `share` (0 to 1) of the values do not exceed, by nearest rank; NaN
 * for an empty list.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Keeps a random sample of up to `size` of the values offered to it. */
export function sampleOf<T>(
  size: number,
  random: () => number,
): { offer(value: () => T): void; kept: readonly T[] } {
  const kept: T[] = [];
  let offered = 0;
  return {
    kept,
    offer(value) {
      offered += 1;
      if (kept.length < size) {
        kept.push(value());
        return;
      }
      const place = Math.floor(random() * offered);
      if (place < size) kept[place] = value();
    },
  };
}
