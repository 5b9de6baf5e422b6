/** The budget of a route, as a ratio to the floor, and whether it keeps it. */
import { markdownTable } from "./markdown.ts";
import { median } from "./statistics.ts";

/** The content of budget.json: the ratios accepted last, by the scenario's id. */
export type Budget = Readonly<Record<string, number>>;

export interface Verdict {
  readonly route: string;
  /** Undefined where none was accepted yet. */
  readonly accepted: number | undefined;
  readonly measured: number;
  readonly over: boolean;
}

/** Ends the names of routes that are measured with organization, roles and groups against without. */
export const suffixOfMembers = "-of-members";

/** How much more than was accepted is taken for noise. */
const tolerated = 1.1;

/** Throws where the text is no budget. */
export function readBudget(text: string): Budget {
  const read: unknown = JSON.parse(text);
  const isRatio = (value: unknown) => typeof value === "number" && value > 0;
  if (typeof read !== "object" || read === null || !Object.values(read).every(isRatio))
    throw new Error("the budget is no object of ratios");
  return read as Budget;
}

/** The median of the rounds of each route against its budget; a route without one is over it. */
export function judge(budget: Budget, found: ReadonlyMap<string, readonly number[]>): Verdict[] {
  return [...found].map(([route, ratios]) => {
    const accepted = budget[route];
    const measured = median(ratios);
    // A ratio that could not be measured is no proof that all is well.
    return { route, accepted, measured, over: !(accepted !== undefined && measured <= tolerated * accepted) };
  });
}

/** The budget with the measured values, in hundredths; unmeasured routes keep theirs. */
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
