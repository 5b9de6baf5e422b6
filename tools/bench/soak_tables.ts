/** Formats a long run as Markdown, and finds the values that were not flat. */

import { markdownTable, whole } from "./markdown.ts";
import { counted, type Minute, type SoakLength } from "./soak.ts";
import { isFlat, trendOf } from "./trend.ts";

interface Judged {
  readonly name: string;
  readonly values: readonly number[];
  readonly worse: "more" | "less";
  /** Changes below this share of the mean are ignored. */
  readonly tolerated: number;
  readonly flat: boolean;
}

/** In a short window, a scenario may have no response. */
function milliseconds(value: number | undefined): string {
  return value === undefined || Number.isNaN(value) ? "–" : value.toFixed(1);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Number of token lifetimes after which as many rows are removed as added. It is more than one, because a
 * family outlives its first token.
 */
const lifetimesToSettle = 3;

/**
 * Judges only the second half of the run, because connections are opened and caches are filled in the first
 * half.
 */
export function judgeSoak(minutes: readonly Minute[], length: SoakLength): Judged[] {
  const { windows, window_seconds, token_ttl } = length;
  const settled = (windows * window_seconds) / 2 >= lifetimesToSettle * token_ttl;
  const half = minutes.slice(Math.floor(minutes.length / 2));
  const judge = (
    name: string,
    of: (minute: Minute) => number | null,
    worse: "more" | "less" = "more",
    tolerated = 0.05,
  ): Judged[] => {
    const values = half.map(of).filter((value) => value !== null && !Number.isNaN(value)) as number[];
    if (values.length === 0) return [];
    return [{ name, values, worse, tolerated, flat: isFlat(values, { worse, tolerated }) }];
  };
  return [
    ...judge("answers a second", ({ per_second }) => per_second, "less"),
    ...judge("p99, mean of the parts", ({ p99_ms }) => mean(Object.values(p99_ms)), "more", 0.1),
    ...judge("memory", ({ memory_bytes }) => memory_bytes),
    ...judge("write-ahead log", ({ log_bytes }) => log_bytes),
    ...(settled
      ? [
          ...judge(
            "database without sessions and events",
            ({ database_bytes, kept_bytes }) => database_bytes - kept_bytes,
          ),
          // A minute with a higher rate creates more tokens and codes, so their number is divided by the
          // rate.
          ...judge("tokens relative to the rate", ({ rows, per_second }) => rows.oauth_tokens / per_second),
          ...judge(
            "codes relative to the rate",
            ({ rows, per_second }) => rows.oauth_auth_codes / per_second,
          ),
        ]
      : []),
  ];
}

export function soakTables(minutes: readonly Minute[], length: SoakLength, server: string): string {
  const { window_seconds, token_ttl } = length;
  const [first] = minutes;
  if (first === undefined) throw new Error("no minute was measured");
  const scenarios = Object.keys(first.p99_ms);
  const megabytes = (bytes: number | null) => (bytes === null ? "–" : (bytes / 1e6).toFixed(1));
  const rows = minutes.map((minute, index) => [
    String(index + 1),
    whole(minute.per_second),
    ...scenarios.map((name) => milliseconds(minute.p99_ms[name])),
    megabytes(minute.memory_bytes),
    megabytes(minute.database_bytes),
    megabytes(minute.kept_bytes),
    megabytes(minute.log_bytes),
    ...counted.map((table) => whole(minute.rows[table])),
    String(minute.errors.length),
  ]);
  const judged = judgeSoak(minutes, length).map(({ name, values, tolerated, flat }) => {
    const trend = trendOf(values);
    const percent = (value: number) => `${((100 * value) / trend.mean).toFixed(1)} %`;
    return [
      name,
      percent(trend.growth),
      percent(trend.noise),
      percent(tolerated * trend.mean),
      flat ? "flat" : "**not flat**",
    ];
  });
  return [
    `${server}: ${minutes.length} windows of ${whole(window_seconds)} s; tokens live for ${token_ttl} s.`,
    "",
    ...markdownTable(
      [
        "window",
        "answers a second",
        ...scenarios.map((name) => `p99 ms: ${name}`),
        "memory MB",
        "database MB",
        "of it kept MB",
        "log MB",
        ...counted,
        "faults",
      ],
      rows,
    ),
    "",
    ...markdownTable(["Second half", "growth", "its standard error", "tolerated", ""], judged),
  ].join("\n");
}
