/** Formats figures for the reports. */
import type { Spread } from "./results.ts";

export const none = "–";

/** Returns the median, minimum and maximum as text. */
export function spread(values: Spread | undefined): string {
  if (values === undefined) return none;
  return `${values.median.toFixed(2)} (${values.low.toFixed(2)} to ${values.high.toFixed(2)})`;
}

export function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)];
}
