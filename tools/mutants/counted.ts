/** Loaded by the processes whose code is counted. */
import { globSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { takeCoverage } from "node:v8";

/** Puts what has run since the last call into a folder of this name, with what processes that ended have left. */
export function counted(name: string): void {
  takeCoverage();
  const folder = process.env.NODE_V8_COVERAGE ?? "";
  mkdirSync(join(folder, name), { recursive: true });
  for (const each of globSync("*.json", { cwd: folder }))
    renameSync(join(folder, each), join(folder, name, each));
}
