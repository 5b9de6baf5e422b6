/** Preloaded into processes whose coverage is measured. */
import { globSync, mkdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { takeCoverage } from "node:v8";

/**
 * Writes the coverage since the last call, and moves it with the files of exited processes into a folder
 * of this name.
 */
export function counted(name: string): void {
  takeCoverage();
  const folder = process.env.NODE_V8_COVERAGE ?? "";
  mkdirSync(join(folder, name), { recursive: true });
  for (const each of globSync("*.json", { cwd: folder }))
    renameSync(join(folder, each), join(folder, name, each));
}
