/** The options of a command with those given before it. */
export type Options = Readonly<Record<string, unknown>> & { readonly json?: boolean };

/** Where a command reads and writes, handed in so that a test can be the terminal. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** The process that a server ends with. */
  readonly launcher?: number | undefined;
  /** Results: standard output. */
  out(text: string): void;
  /** Messages for people: standard error. */
  err(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
}

/** The process's own terminal. */
export function processTerminal(launcher?: number): Terminal {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    // The reader, such as `head`, has read enough.
    process.exit(0);
  });
  return {
    env: process.env,
    now: () => new Date(),
    launcher,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    async readInput() {
      const chunks: Buffer[] = [];
      for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString();
    },
  };
}

/** A command did what was asked and the answer is no: nothing more to say, exit code 1. */
export class NegativeAnswer extends Error {}

/** The command line makes no sense: exit code 2. */
export class WrongUsage extends Error {}

/** Prints one result: with `--json` a JSON value on one line, else the text for people. */
export function print(terminal: Terminal, options: Options, value: unknown, text: string): void {
  const output = options.json ? JSON.stringify(value) : text;
  terminal.out(output.endsWith("\n") ? output : `${output}\n`);
}

/** Columns of text, each as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => visible(row[column] ?? "").length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => visible(cell).padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A value as people read it, on one line. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(" ") || "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Records hold what others chose to call themselves; none of it may move the cursor or fake a line. */
export function visible(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}
