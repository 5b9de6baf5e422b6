/** The options of a command with those given before it. */
export type Options = Readonly<Record<string, unknown>> & { readonly json?: boolean };

/** How what is printed may look. */
export interface Screen {
  /** How many characters a line of the terminal holds; undefined where results go to a file or a program. */
  readonly columns: number | undefined;
  readonly colours: boolean;
}

/** Where a command reads and writes, handed in so that a test can be the terminal. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** The process that a server ends with. */
  readonly launcher?: number | undefined;
  /** The account of the operating system that runs the command. */
  readonly user?: string | undefined;
  /** Of standard output. */
  readonly screen: Screen;
  /** Of standard error. */
  readonly messages: Screen;
  /** Results: standard output. */
  out(text: string): void;
  /** Messages for people: standard error. */
  err(text: string): void;
  /** All of standard input. */
  readInput(): Promise<string>;
  /** The line that the person types after the question; undefined where there is nobody to ask. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Shows the address in the person's browser; undefined where there is nobody, or no browser. */
  readonly openBrowser?: ((address: string) => Promise<void>) | undefined;
}

/** A command did what was asked and the answer is no: nothing more to say, exit code 1. */
export class NegativeAnswer extends Error {}

/** The command line makes no sense: exit code 2. */
export class WrongUsage extends Error {}

/** Prints one result: with `--json` a JSON value on one line, else the text for people. */
export function print({ out }: Pick<Terminal, "out">, options: Options, value: unknown, text: string): void {
  const output = options.json ? JSON.stringify(value) : text;
  out(output.endsWith("\n") ? output : `${output}\n`);
}

/** A value as people read it, on one line. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(" ") || "–";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A number and what it counts, in English: `1 row`, `1,000 rows`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Records hold what others chose to call themselves; none of it may move the cursor or fake a line. */
export function visible(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

/** The codes of ECMA-48 8.3.117 that begin and end each. */
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], green: [32, 39] } as const;

/** Letters that stand out where there are colours. */
export function styled(
  style: keyof typeof codes,
  text: string,
  { colours }: Pick<Screen, "colours">,
): string {
  const [begin, end] = codes[style];
  return colours && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
}
