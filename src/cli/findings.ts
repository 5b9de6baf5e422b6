/** What a doctor found, one line for each look. */
import { NegativeAnswer, type Options, print, type Terminal, table } from "./terminal.ts";

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Prints the findings. Throws `NegativeAnswer`, for exit code 1, when something is wrong. */
export function printFindings(terminal: Terminal, options: Options, findings: readonly Finding[]): void {
  const healthy = findings.every(({ ok }) => ok);
  const rows = findings.map(({ check, ok, detail }) => [ok ? "ok" : "WRONG", check, detail]);
  print(terminal, options, { healthy, findings }, table(rows));
  if (!healthy) throw new NegativeAnswer();
}
