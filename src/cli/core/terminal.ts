/** The options of a command, including those given before its name. */
export type Options = Readonly<Record<string, unknown>> & { readonly json?: boolean };

export interface Screen {
  /** The width of the terminal in characters; undefined if the output is a file or a pipe. */
  readonly columns: number | undefined;
  readonly colours: boolean;
}

/** The input and output of a command, passed in so that tests can replace them. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** The id of the process whose end stops the server. */
  readonly launcher?: number | undefined;
  /** The operating system account that runs the command. */
  readonly user?: string | undefined;
  /** Standard output. */
  readonly screen: Screen;
  /** Standard error. */
  readonly messages: Screen;
  /** Writes results to standard output. */
  out(text: string): void;
  /** Writes messages for users to standard error. */
  err(text: string): void;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
  /** Asks a question and returns the typed line; undefined without an interactive terminal. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Opens the address in the user's browser; undefined without an interactive terminal or a browser. */
  readonly openBrowser?: ((address: string) => Promise<void>) | undefined;
}

/** The command succeeded and its result is negative: exit code 1 without a message. */
export class NegativeAnswer extends Error {}

/** The command line is invalid: exit code 2. */
export class WrongUsage extends Error {}

/** Prints one result: with `--json` a JSON value on one line, otherwise the text. */
export function print({ out }: Pick<Terminal, "out">, options: Options, value: unknown, text: string): void {
  const output = options.json ? JSON.stringify(value) : text;
  out(output.endsWith("\n") ? output : `${output}\n`);
}

export function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(" ") || "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Returns a number with its noun, in English: `1 row`, `1,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Escapes control characters: record texts must not move the cursor or forge a line. */
export function visible(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** The codes of ECMA-48 8.3.117 that start and end each style. */
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], green: [32, 39] } as const;

/** Returns text in a style, if the stream has colors. */
export function styled(
  style: keyof typeof codes,
  text: string,
  { colours }: Pick<Screen, "colours">,
): string {
  const [begin, end] = codes[style];
  return colours && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
}
