/**
 * Restores a copy (arguments: draft, database), and kills itself (SIGKILL) before the change of files whose
 * number is the third argument. With fewer changes it exits normally.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const [draft = "", path = "", number] = process.argv.slice(2);
let left = Number(number);
for (const name of ["linkSync", "copyFileSync", "renameSync", "rmSync"] as const) {
  const change = fs[name] as (...input: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...input: unknown[]) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, "SIGKILL");
      return change(...input);
    },
  });
}
syncBuiltinESMExports();
const { replaceDatabase } = await import("../../src/cli/maintenance/restore.ts");
await replaceDatabase(draft, path, new Date());
