/** The runtimes of the samples: Node, which also runs this program, and Python and Go if installed. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonWithPackages } from "../tools/interop/python/python_environment.ts";
import type { Example } from "./all_examples.ts";

const run = promisify(execFile);

/** Maximum time for fetching modules and building, in milliseconds. */
const longestBuild = 240_000;

/**
 * Installs what the sample in this folder needs, and returns the command that starts it. `data` is a
 * folder that is deleted after the run. Throws an error whose message says what is missing.
 */
export async function commandOf(
  { runtime }: Example,
  folder: string,
  data: string,
): Promise<readonly [command: string, ...args: string[]]> {
  switch (runtime) {
    case "node":
      return [process.execPath, "server.js"];
    case "python":
      return [await pythonWithPackages(join(folder, "requirements.txt")), "main.py"];
    case "go": {
      // Built first, because a signal to `go run` would not end the program that it starts.
      const program = join(data, "sample");
      await run("go", ["build", "-o", program, "."], { cwd: folder, timeout: longestBuild }).catch(
        (error: NodeJS.ErrnoException) => {
          throw error.code === "ENOENT"
            ? new Error('this sample needs Go: the command "go" must be on the PATH')
            : error;
        },
      );
      return [program];
    }
    default:
      return runtime satisfies never;
  }
}
