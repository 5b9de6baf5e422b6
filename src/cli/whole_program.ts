import { processTerminal } from "./core/process_terminal.ts";
import { run } from "./program.ts";

/** Runs the command of these arguments in the terminal of this process, and returns the exit code. */
export async function runHere(args: readonly string[], launcher: number | undefined): Promise<number> {
  return run(args, processTerminal(launcher));
}
