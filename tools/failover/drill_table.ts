/** Formats the table of the drill, and decides whether it failed. */
import type { Findings } from "../torture/audit.ts";
import type { DrillRound } from "./drill_round.ts";

export interface DrillResult {
  readonly title: string;
  readonly rounds: DrillRound[];
  /** The error that ended the drill early. */
  error?: string;
}

export interface Drilled {
  readonly results: readonly DrillResult[];
  /** The audit of the refresh chains (`Chain` in the ledger) at the end. */
  readonly chains: Findings;
  readonly signed_out: number;
  readonly requests: number;
  /** Refusals of valid requests, as sentences. */
  readonly odd: readonly string[];
  /** How each server exited after SIGTERM. */
  readonly endings: readonly string[];
  /** The PostgreSQL version of each node at the end. */
  readonly versions: readonly string[];
}

const total = (rounds: readonly DrillRound[], count: (round: DrillRound) => number) =>
  rounds.reduce((sum, round) => sum + count(round), 0);

/** Returns the errors as sentences; empty if there are none. */
export function faultsOfDrill({ results, chains, signed_out, odd, endings }: Drilled): string[] {
  const counted = (title: string, counts: readonly (readonly [number, string])[]) =>
    counts.filter(([count]) => count > 0).map(([count, what]) => `${title}: ${count} ${what}`);
  return [
    ...results.flatMap(({ title, rounds, error }) => [
      ...counted(title, [
        [total(rounds, ({ lost }) => lost), "issued tokens lost"],
        [total(rounds, ({ undone }) => undone), "revocations undone"],
        [total(rounds, ({ stale }) => stale), "introspections that reported a revoked token as active"],
        [total(rounds, ({ unanswered }) => unanswered), "tokens whose introspection got no response"],
        [total(rounds, ({ late }) => late), "failed responses too long after the takeover"],
      ]),
      ...(error === undefined ? [] : [`${title}: ${error}`]),
    ]),
    ...counted("refresh chains", [
      [chains.lost, "lost"],
      [chains.unanswered, "without a response"],
      [signed_out, "ended, although the client repeated the refresh"],
    ]),
    ...odd,
    ...endings
      .filter((ending) => ending !== "0")
      .map((ending) => `a server exited with ${ending} after SIGTERM`),
  ];
}

const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1);

/** Returns the minimum and maximum, or one value if they are equal. */
function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)].map(seconds);
  return least === most ? `${least}` : `${least}–${most}`;
}

const isUnavailable = / 503 with Retry-After$/;

export function drillTable(drilled: Drilled): string {
  const heads = ["What happens", "Times caused", "Responses", "Tokens checked", "Lost", "Undone", "Stale"];
  const further = ["Takeover after, s", "Last error after, s", "503 with Retry-After", "Other failures"];
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const rows = drilled.results.map(({ title, rounds, error }): (string | number)[] => {
    if (rounds.length === 0) return [title, error ?? "not played", ...Array(9).fill("")];
    const answers = (fits: (kind: string) => boolean) =>
      total(rounds, ({ statuses }) =>
        Object.entries(statuses).reduce((sum, [kind, count]) => sum + (fits(kind) ? count : 0), 0),
      );
    const unavailable = answers((kind) => isUnavailable.test(kind));
    return [
      ...[title, rounds.length, answers(() => true).toLocaleString("en-US")],
      ...[total(rounds, ({ checked }) => checked).toLocaleString("en-US"), total(rounds, ({ lost }) => lost)],
      ...[total(rounds, ({ undone }) => undone), total(rounds, ({ stale }) => stale)],
      ...[range(rounds.map(({ takeover }) => takeover)), range(rounds.map(({ errors_for }) => errors_for))],
      ...[unavailable, total(rounds, ({ failures }) => failures) - unavailable],
    ];
  });
  const columns = [...heads, ...further];
  const isShared = (at: number) => rows.length > 1 && rows.every((row) => row[at] === rows[0]?.[at]);
  const shared = columns.flatMap((name, at) => (isShared(at) ? [`${name} ${rows[0]?.[at]}`] : []));
  const shown = (cells: readonly (string | number)[]) => cells.filter((_, at) => !isShared(at));
  const faults = faultsOfDrill(drilled);
  return [
    ...(shared.length === 0
      ? []
      : [`In every row: ${shared.join(", ")}. Lost and stale count tokens, undone counts revocations.`, ""]),
    line(shown(columns)),
    line(shown(columns.map((_, at) => (at === 0 ? "---" : "---:")))),
    ...rows.map((row) => line(shown(row))),
    "",
    `${drilled.requests.toLocaleString("en-US")} requests, ${drilled.chains.checked} token families refreshed throughout, ${drilled.signed_out} users signed out.`,
    `PostgreSQL at the end: ${drilled.versions.join(", ")}.`,
    "",
    ...(faults.length === 0 ? ["Nothing was lost."] : faults.map((fault) => `- ${fault}`)),
  ].join("\n");
}
