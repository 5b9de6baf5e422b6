/** A straight line through equally spaced values. */
export interface Trend {
  readonly mean: number;
  /** The difference between the last and the first value, on the line. */
  readonly growth: number;
  /** The standard error of that growth. */
  readonly noise: number;
}

/** Fits the line by least squares. Throws for fewer than three values. */
export function trendOf(values: readonly number[]): Trend {
  const count = values.length;
  if (count < 3) throw new Error("a trend needs three values");
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const middle = (count - 1) / 2;
  const spread = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  const slope = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0) / spread;
  const left = values.reduce((sum, value, index) => sum + (value - mean - slope * (index - middle)) ** 2, 0);
  const error = Math.sqrt(left / (count - 2) / spread);
  return { mean, growth: slope * (count - 1), noise: error * (count - 1) };
}

/** Number of standard errors that random variation hardly exceeds. */
const beyondChance = 3;

/**
 * Returns whether values do not grow or, if `worse` is "less", do not fall. A change is ignored if it is
 * within the noise of the values, or less than the share `tolerated` of the mean.
 */
export function isFlat(
  values: readonly number[],
  { worse, tolerated }: { readonly worse: "more" | "less"; readonly tolerated: number },
): boolean {
  const { mean, growth, noise } = trendOf(values);
  const change = worse === "more" ? growth : -growth;
  return change <= beyondChance * noise || change <= tolerated * mean;
}
