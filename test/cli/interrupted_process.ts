/** Runs a command, and sends itself the signal (the first argument) as soon as the command creates its draft. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [signal = "", ...args] = process.argv.slice(2);
const open = fs.openSync;
Object.assign(fs, {
  openSync: (path: string, flags: string, mode?: number) => {
    const opened = open(path, flags, mode);
    if (flags === "wx" && path.endsWith(".copying")) process.kill(process.pid, signal);
    return opened;
  },
});
syncBuiltinESMExports();
const { runHere } = await import("../../src/cli/whole_program.ts");
process.exitCode = await runHere(args, undefined);
