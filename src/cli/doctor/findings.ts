import { table } from "../core/table.ts";
import { NegativeAnswer, type Options, print, styled, type Terminal } from "../core/terminal.ts";

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

/** Prints one line for each check. Throws `NegativeAnswer`, for exit code 1, if a check failed. */
export function printFindings(terminal: Terminal, options: Options, findings: readonly Finding[]): void {
  const healthy = findings.every(({ ok }) => ok);
  const rows = findings.map(({ check, ok, detail }) => [ok ? "ok" : "WRONG", check, detail]);
  const lines = table(rows).split("\n");
  const text = lines.map((line, at) =>
    line.replace(/^\w+/, (word) => styled(findings[at]?.ok ? "green" : "red", word, terminal.screen)),
  );
  print(terminal, options, { healthy, findings }, text.join("\n"));
  if (!healthy) throw new NegativeAnswer();
}
