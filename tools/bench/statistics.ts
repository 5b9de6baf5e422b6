/** The statistics of reported measurements. */

/** The middle value, or the mean of the two in the middle; NaN of nothing. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

/** The least value that `share` (0 to 1) of the values do not exceed, by nearest rank; NaN of nothing. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/**
 * Keeps up to `size` of the values offered to it, each with the same chance; all of them up to that number.
 */
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
