/** The program of the servers and commands that tests start as processes of their own. */
import { fileURLToPath } from "node:url";

/** Names one that was made of the sources; the suite sets it for all of its tests. */
export const programVariable = "TEST_PROGRAM";

/** `bin/postern.js`, or the one that is named. */
export function servedProgram(): string {
  return process.env[programVariable] ?? fileURLToPath(new URL("../../bin/postern.js", import.meta.url));
}
