/** Folders and files of one test process, gone when it ends. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * A new empty folder that only this user may enter, removed when the test process ends.
 *
 * It outlives the test that asked for it, so a server that is still closing finds its files. A process that is killed
 * outright leaves its folders to the system.
 */
export function temporaryFolder(): string {
  if (folders.length === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(join(tmpdir(), "postern-test-"));
  folders.push(folder);
  return folder;
}
