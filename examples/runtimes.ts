/** The runtimes of the samples: Node, which also runs this, and Python and Go if they are installed. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { pythonWithPackages } from "../tools/interop/python/python_environment.ts";
import type { Example } from "./all_examples.ts";

const run = promisify(execFile);

/** Milliseconds for fetching modules and building. */
const longestBuild = 240_000;

/**
 * The command that starts the sample of this folder, once what it needs is installed; `data` is a folder that
 * goes with the run. Throws with a sentence that says what is missing.
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
      // A program of its own ends by a signal; what `go run` starts outlives it.
      const program = join(data, "sample");
      await run("go", ["build", "-o", program, "."], { cwd: folder, timeout: longestBuild }).catch(
        (error: NodeJS.ErrnoException) => {
          throw error.code === "ENOENT" ? new Error("this sample needs Go, as go on the PATH") : error;
        },
      );
      return [program];
    }
    default:
      return runtime satisfies never;
  }
}
