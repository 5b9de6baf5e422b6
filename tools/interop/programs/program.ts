/** The programs that `npm run interop:programs` runs, and their requirements. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { findPython, neededPython } from "../python/python_environment.ts";

export interface Need {
  /** The requirement and the command that installs it, as the end of the sentence "it needs …". */
  readonly what: string;
  isThere(): boolean | Promise<boolean>;
}

export interface Program {
  /** The name on the command line. */
  readonly name: string;
  readonly needs: readonly Need[];
  /**
   * Signs in, refreshes concurrently and signs out, or tests access by role or group. Throws on errors
   * that a user would notice.
   */
  run(context: TestContext): Promise<void>;
}

/** Requires a command on the PATH. */
export function onPath(command: string, what: string): Need {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return { what, isThere: () => folders.some((folder) => existsSync(join(folder, command))) };
}

/** Requires a Python that `pythonWithPackages` supports. */
export const hasPython: Need = {
  what: neededPython,
  isThere: async () => (await findPython()) !== undefined,
};

/** Requires a Debian package, detected by a file that it installs. */
export function debianPackage(name: string, file: string): Need {
  return { what: `${name} (apt-get install ${name})`, isThere: () => existsSync(file) };
}

/** Returns the missing requirements as one sentence; undefined if there are none. */
export async function missingOf({ needs }: Program): Promise<string | undefined> {
  const missing: string[] = [];
  for (const { what, isThere } of needs) if (!(await isThere())) missing.push(what);
  return missing.length === 0 ? undefined : `it needs ${missing.join(" and ")}`;
}
