/** Formats the final table, and decides what counts as a failure. */
import type { Played } from "./play.ts";
import type { SetupOptions } from "./setup.ts";

/**
 * The reason that the table shows for scenarios that this machine could run but for which no time was left.
 */
export const timeIsUp = "the time was up";

export interface Result {
  readonly scenario: string;
  readonly title: string;
  readonly setup: SetupOptions;
  readonly rounds_wanted: number;
  /** Milliseconds after a failure's end within which the first token must be issued. */
  readonly soon: number;
  /** Undefined if it did not run. */
  readonly played?: Played;
  /** How the server exited after SIGTERM; 0 is expected. */
  readonly ending?: string;
  /** Why it was skipped or ended early. */
  readonly skipped?: string;
  readonly error?: string;
}

/** Returns the errors of a result as sentences; empty if there are none. */
export function faultsOf({ played, ending, error, skipped, rounds_wanted, soon }: Result): string[] {
  if (skipped !== undefined) return skipped === timeIsUp ? [skipped] : [];
  if (played === undefined) return [error ?? "not played"];
  const { lost, undone, unanswered, gone, by_hand, halves, odd, first_success, rounds } = played;
  const late = first_success.filter((milliseconds) => milliseconds > soon).length;
  const counts: [number, string][] = [
    [lost, "issued tokens lost"],
    [undone, "revocations or refreshes undone"],
    [unanswered, "tokens whose introspection got no response after the recovery"],
    [gone, "processes exited unexpectedly"],
    [by_hand, "restarts by the test"],
    [late, `first successes later than ${soon} ms`],
    [rounds_wanted - rounds, "rounds not played: the time was up"],
  ];
  return [
    ...counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`),
    ...halves,
    ...countedOnce(odd),
    ...(ending === undefined || ending === "0" ? [] : [`the server exited with ${ending} after SIGTERM`]),
    ...(error === undefined ? [] : [error]),
  ];
}

function countedOnce(sentences: readonly string[]): string[] {
  const kinds = Map.groupBy(sentences, (sentence) => sentence);
  return [...kinds].map(([sentence, all]) => (all.length === 1 ? sentence : `${all.length} × ${sentence}`));
}

export function stageName({ database, workers }: SetupOptions): string {
  return workers === 1 ? database : `${database}, ${workers} workers`;
}

const number = (value: number) => Math.round(value).toLocaleString("en-US");

/** Returns the sum of the statuses that match the pattern. */
function countOf({ statuses }: Played, pattern: RegExp): number {
  return Object.entries(statuses).reduce((sum, [kind, count]) => sum + (pattern.test(kind) ? count : 0), 0);
}

type Column = readonly [name: string, show: (played: Played) => string];

const columns: readonly Column[] = [
  ["Rounds", ({ rounds }) => number(rounds)],
  ["Requests", ({ requests }) => number(requests)],
  ["Checked", ({ checked }) => number(checked)],
  ["Lost", ({ lost }) => number(lost)],
  ["Undone", ({ undone }) => number(undone)],
  ["Gone", ({ gone }) => number(gone)],
  ["By hand", ({ by_hand }) => number(by_hand)],
  ["First success, ms", ({ first_success }) => range(first_success)],
  ["Longest wait, ms", ({ longest }) => number(longest)],
  ["503 + Retry-After", (played) => number(countOf(played, / 503 with Retry-After$/))],
  ["Other 5xx", (played) => number(countOf(played, / 5\d\d/) - countOf(played, / 503 with Retry-After$/))],
  ["No answer", (played) => number(countOf(played, / (?:refused|reset|timeout)$/))],
  ["Signed out", ({ signed_out }) => number(signed_out)],
];

function range(milliseconds: readonly number[]): string {
  const sorted = milliseconds.toSorted((one, other) => one - other);
  const [least, middle, most] = [0, sorted.length >> 1, sorted.length - 1].map((at) => sorted[at]);
  if (least === undefined || middle === undefined || most === undefined) return "–";
  return `${number(middle)} (${number(least)}–${number(most)})`;
}

/** Returns the results as a Markdown table, with common values above and errors below it. */
export function resultTable(results: readonly Result[]): string {
  const whole = results.flatMap(({ played }) => played ?? []);
  const isShared = ([, show]: Column) => whole.length > 1 && new Set(whole.map(show)).size === 1;
  const [shown, shared] = [columns.filter((column) => !isShared(column)), columns.filter(isShared)];
  const values = shared.map(([name, show]) => `${name} ${whole.slice(0, 1).map(show).join("")}`);
  const inEveryRow = values.length === 0 ? [] : [`In every row: ${values.join(", ")}.`, ""];
  const head = ["Fault", "Database", ...shown.map(([name]) => name)];
  const rows = results.map(({ title, setup, played, skipped, error }) => [
    ...[title, stageName(setup)],
    ...(played === undefined
      ? [
          skipped === undefined ? `failed: ${error}` : `not played: ${skipped}`,
          ...Array(Math.max(0, shown.length - 1)).fill(""),
        ]
      : shown.map(([, show]) => show(played))),
  ]);
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const table = [line(head), line(head.map((_, at) => (at < 2 ? "---" : "---:"))), ...rows.map(line)];
  const wrong = results.flatMap((result) =>
    faultsOf(result).map((fault) => `- ${result.title}, ${stageName(result.setup)}: ${fault}`),
  );
  return [...inEveryRow, ...table, "", ...(wrong.length === 0 ? ["Nothing was lost."] : wrong)].join("\n");
}
