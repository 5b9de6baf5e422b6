/** The programs that `npm run interop:programs` runs, and their requirements. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { findPython, neededPython } from "../python/python_environment.ts";

export interface Need {
  /** The end of the sentence "it needs …": the thing, and the command that installs it. */
  readonly what: string;
  isThere(): boolean | Promise<boolean>;
}

export interface Program {
  /** As the command line names it. */
  readonly name: string;
  readonly needs: readonly Need[];
  /**
   * Signs in, refreshes at once from several places and signs out, or is given and refused what a role or a
   * group allows. Fails where a person would notice.
   */
  run(context: TestContext): Promise<void>;
}

/** A command that the shell finds. */
export function onPath(command: string, what: string): Need {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return { what, isThere: () => folders.some((folder) => existsSync(join(folder, command))) };
}

/** A Python for which `pythonWithPackages` makes an environment. */
export const hasPython: Need = {
  what: neededPython,
  isThere: async () => (await findPython()) !== undefined,
};

/** A package of Debian, by a file that it installs. */
export function debianPackage(name: string, file: string): Need {
  return { what: `${name} (apt-get install ${name})`, isThere: () => existsSync(file) };
}

/** The missing requirements, as one sentence; undefined if there are none. */
export async function missingOf({ needs }: Program): Promise<string | undefined> {
  const missing: string[] = [];
  for (const { what, isThere } of needs) if (!(await isThere())) missing.push(what);
  return missing.length === 0 ? undefined : `it needs ${missing.join(" and ")}`;
}
