/** Folders and files of one test process, gone when it ends. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/**
 * Bytes that must be free, on the file system and for this process, before the tests keep files in memory.
 */
const enough = 4 * 2 ** 30;

/**
 * Where the files of databases are made and removed by the thousand: in memory where there is room, because
 * ext4 is slow to make files for half a minute after others were removed. Programs may not be allowed to run
 * from there.
 */
export function quickFolder(): string {
  const memory = "/dev/shm";
  if (process.platform !== "linux" || !existsSync(memory) || process.availableMemory() < enough)
    return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize < enough ? tmpdir() : memory;
}

function removeAll(): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * A new empty folder in `parent` that only this user may enter, removed when the test process ends.
 *
 * It outlives the test that asked for it, so a server that is still closing finds its files. A process that
 * is killed outright leaves its folders to the system.
 */
export function temporaryFolder(parent = tmpdir()): string {
  if (folders.length === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(join(parent, "postern-test-"));
  folders.push(folder);
  return folder;
}
