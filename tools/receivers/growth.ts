/** Statistics of samples that were measured alternately in slices. */

export const quantile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.max(0, Math.ceil(times.length * part) - 1)] ?? Number.NaN;

/** Returns numbers in [0, 1), the same in each run (mulberry32). */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface Growth {
  /** In percent. */
  readonly growth: number;
  /** The 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
}

/**
 * Returns the growth of a quantile. The interval is a bootstrap over slices, because all times of a slice
 * are affected by the same load of the machine.
 */
export function growthOf(
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
  part: number,
): Growth {
  const draw = drawing(1);
  const again = (slices: readonly (readonly number[])[]) =>
    slices.flatMap(() => slices[Math.floor(draw() * slices.length)] ?? []);
  const ratio = (one: readonly number[], other: readonly number[]) =>
    (quantile(other, part) / quantile(one, part) - 1) * 100;
  const drawn = Array.from({ length: 1000 }, () => ratio(again(before), again(after)));
  return {
    growth: ratio(before.flat(), after.flat()),
    low: quantile(drawn, 0.025),
    high: quantile(drawn, 0.975),
  };
}
