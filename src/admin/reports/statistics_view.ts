import type { AppActivity, DayFigure, Statistics } from "./dashboard.ts";

export interface StatisticsView extends Omit<Statistics, "activity" | "apps"> {
  readonly apps: readonly (Pick<AppActivity, "id" | "name" | "client_id"> & {
    readonly tokens?: number | undefined;
  })[];
  /** The start of each step in ISO 8601. */
  readonly moments: readonly string[];
  readonly counts: Readonly<Record<string, readonly number[]>>;
  /** `change` is null if the counts are too small to compare. */
  readonly last_24_hours: Readonly<
    Record<string, Pick<DayFigure, "count" | "before"> & { readonly change: number | null }>
  >;
}

export function statisticsView({ activity, ...of }: Statistics): StatisticsView {
  const { moments, counts, ...figures } = activity;
  const entries = Object.entries(figures).map(
    ([name, { count, before, change = null }]) => [name, { count, before, change }] as const,
  );
  return {
    ...of,
    moments: moments.map((moment) => moment.toISOString()),
    counts,
    last_24_hours: Object.fromEntries(entries),
  };
}
