/**
 * Whether the file that is open is still the one under its name: a process goes on writing into one that was
 * removed.
 */
import { type BigIntStats, statSync } from "node:fs";
import { UnavailableError } from "../../errors.ts";

/** Of a file that was opened just now. */
export function presenceOf(path: string) {
  const opened = statSync(path, { bigint: true });
  return {
    /**
     * Throws `UnavailableError` (`gone`) when the name leads to no file, or to another. One question to the
     * system.
     */
    prove(): void {
      let found: BigIntStats | undefined;
      try {
        found = statSync(path, { bigint: true });
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const what = code === "ENOENT" ? "is not there any more" : `cannot be seen (${code})`;
        throw new UnavailableError(
          "gone",
          `the database file ${path} ${what}: put it back, or restart`,
          error,
        );
      }
      if (found.ino !== opened.ino || found.dev !== opened.dev) {
        const sentence = `the database file ${path} was replaced by another: restart to use that one`;
        throw new UnavailableError("gone", sentence, undefined);
      }
    },
  };
}

export type Presence = ReturnType<typeof presenceOf>;
