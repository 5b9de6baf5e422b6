/** Values from the command line. Other operating-system users of the machine can see typed values (`ps`). */
import { readFileSync } from "node:fs";
import { type Terminal, WrongUsage } from "./terminal.ts";

export const secretOption =
  "use @file to read it from a file or - from standard input, because other accounts can see typed arguments";

async function typedText(value: unknown, { readInput }: Pick<Terminal, "readInput">): Promise<string> {
  const text = String(value);
  if (!text.startsWith("@")) return text;
  const content = text === "@-" ? await readInput() : contentOf(text.slice(1));
  return content.replace(/\r?\n$/, "");
}

/** Returns a secret: as typed, from `@file`, or from standard input for `-` and `@-`. */
export function typedSecret(value: unknown, terminal: Pick<Terminal, "readInput">): Promise<string> {
  return typedText(value === "-" ? "@-" : value, terminal);
}

/**
 * Returns the content of a file that an argument names. Throws an Error with the reason if it cannot be read.
 */
export function readNamedFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Returns an error that names the file and why it cannot be read. */
export function unreadable(path: string, cause: unknown): Error {
  const { code = "" } = cause as NodeJS.ErrnoException;
  return new Error(`${path} cannot be read: ${reasons[code] ?? code}`, { cause });
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EACCES: "this account may not read it",
  EISDIR: "it is a folder",
};

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // The typed text is not used as the value: otherwise the name of a missing file would be stored as the
    // secret.
    throw new WrongUsage(
      `the file after @ cannot be read (${code}); a value that begins with @ must be read from a file`,
    );
  }
}
