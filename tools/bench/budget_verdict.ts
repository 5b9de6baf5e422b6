/** Compares a route with its budget, which is a ratio to the floor. */
import { markdownTable } from "./markdown.ts";
import { median } from "./statistics.ts";

/** The content of budget.json: the ratios accepted last, by scenario ID. */
export type Budget = Readonly<Record<string, number>>;

export interface Verdict {
  readonly route: string;
  /** Undefined if no ratio was accepted yet. */
  readonly accepted: number | undefined;
  readonly measured: number;
  readonly over: boolean;
}

/**
 * Suffix of the routes that are measured with tokens of organization members, relative to tokens without
 * organization, roles and groups.
 */
export const suffixOfMembers = "-of-members";

/** The factor up to which an increase counts as noise. */
const tolerated = 1.1;

/** Throws if the text is not a valid budget. */
export function readBudget(text: string): Budget {
  const read: unknown = JSON.parse(text);
  const isRatio = (value: unknown) => typeof value === "number" && value > 0;
  if (typeof read !== "object" || read === null || !Object.values(read).every(isRatio))
    throw new Error("the budget is not an object of ratios");
  return read as Budget;
}

/** Compares the median over the rounds of each route with its budget. A route without a budget exceeds it. */
export function judge(budget: Budget, found: ReadonlyMap<string, readonly number[]>): Verdict[] {
  return [...found].map(([route, ratios]) => {
    const accepted = budget[route];
    const measured = median(ratios);
    // If a ratio could not be measured, it is NaN. Comparing NaN returns false, so the route counts as over
    // the budget.
    return { route, accepted, measured, over: !(accepted !== undefined && measured <= tolerated * accepted) };
  });
}

/**
 * Returns the budget with the measured values, rounded to hundredths. Unmeasured routes keep their
 * values.
 */
export function newBudget(budget: Budget, found: ReadonlyMap<string, readonly number[]>): Budget {
  const measured = judge(budget, found).map(({ route, measured }) => [route, Number(measured.toFixed(2))]);
  return { ...budget, ...Object.fromEntries(measured) };
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ route, accepted, measured, over }) => [
    route,
    measured.toFixed(2),
    accepted?.toFixed(2) ?? "–",
    accepted === undefined ? "–" : (measured / accepted).toFixed(2),
    over ? "**over**" : "within",
  ]);
  const columns = ["Processor time to the floor", "measured", "accepted", "of the accepted", ""];
  return markdownTable(columns, rows).join("\n");
}
