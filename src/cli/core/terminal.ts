export type Options = Readonly<Record<string, unknown>> & { readonly json?: boolean };

export interface Screen {
  /** The width in characters; undefined if it is unknown, for example in a file or a pipe. */
  readonly columns: number | undefined;
  readonly colours: boolean;
}

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
  /** The id of the process that started the server. The server stops when that process ends. */
  readonly launcher?: number | undefined;
  readonly user?: string | undefined;
  readonly screen: Screen;
  readonly messages: Screen;
  out(text: string): void;
  err(text: string): void;
  readInput(): Promise<string>;
  readonly ask: ((question: string) => Promise<string>) | undefined;
  readonly openBrowser?: ((address: string) => Promise<void>) | undefined;
}

/** The command succeeded and its result is negative: exit code 1 without a message. */
export class NegativeAnswer extends Error {}

/** The command line is invalid: exit code 2. */
export class WrongUsage extends Error {}

/** Characters that JSON leaves as they are, but that act on a terminal or reorder a line (CVE-2021-42574). */
const acting = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Returns whether the text contains a character that `print` escapes. */
export const actsOnTerminal = (text: string): boolean => text.search(acting) >= 0;

/**
 * Escapes each character that acts on a terminal as `\uXXXX`, which JSON and quoted YAML strings read as the
 * character.
 */
export function escaped(text: string): string {
  return text.replaceAll(
    acting,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Prints one result, escaped: with `--json` the value as JSON on one line, otherwise `text`. */
export function print({ out }: Pick<Terminal, "out">, options: Options, value: unknown, text: string): void {
  const output = escaped(options.json ? JSON.stringify(value) : text);
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

/**
 * Escapes control and direction characters, because strings in records must not move the cursor, forge a line
 * or reorder one.
 */
export function visible(text: string): string {
  return escaped(
    text.replaceAll(/\p{Cc}/gu, (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`),
  );
}

/** ECMA-48 8.3.117 defines the codes that start and end each style. */
const codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], yellow: [33, 39], green: [32, 39] } as const;

export function styled(
  style: keyof typeof codes,
  text: string,
  { colours }: Pick<Screen, "colours">,
): string {
  const [begin, end] = codes[style];
  return colours && text !== "" ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
}
