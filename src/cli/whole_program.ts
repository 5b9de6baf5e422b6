import { processTerminal } from "./core/process_terminal.ts";
import { run } from "./program.ts";

export async function runHere(args: readonly string[], launcher: number | undefined): Promise<number> {
  return run(args, processTerminal(launcher));
}
