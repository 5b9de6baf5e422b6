/**
 * Text that is given on the command line, or by the name of the file that holds it: what is typed, others may
 * see (`ps`).
 */
import { readFileSync } from "node:fs";
import { type Terminal, WrongUsage } from "./terminal.ts";

/** What `--help` says of an option that takes a secret. */
export const secretOption =
  "@file reads it from a file, - from standard input; typed here, others may see it";

/**
 * Text as it was typed; `@file` is the content of the file without the last line end, `@-` that of standard
 * input. Throws `WrongUsage` when the file cannot be read.
 */
async function typedText(value: unknown, { readInput }: Pick<Terminal, "readInput">): Promise<string> {
  const text = String(value);
  if (!text.startsWith("@")) return text;
  const content = text === "@-" ? await readInput() : contentOf(text.slice(1));
  return content.replace(/\r?\n$/, "");
}

/** A secret: the same, and `-` is standard input too. */
export function typedSecret(value: unknown, terminal: Pick<Terminal, "readInput">): Promise<string> {
  return typedText(value === "-" ? "@-" : value, terminal);
}

/** The content of a file that an argument names. Throws an Error that says why it cannot be read. */
export function readNamedFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    throw new Error(`${path} cannot be read: ${reasons[code] ?? code}`, { cause: error });
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EACCES: "this account may not read it",
  EISDIR: "it is a folder",
};

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // Never as a value: a secret that begins with @ would be stored as the name of a file.
    throw new WrongUsage(
      `the file after @ cannot be read (${code}); put a text that begins with @ into a file`,
    );
  }
}
