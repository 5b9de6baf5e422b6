/** Folders and files of one test process, which are deleted when it ends. */
import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** The bytes that must be free on the file system and for this process before tests keep files in memory. */
const enough = 4 * 2 ** 30;

/**
 * Returns the folder in which thousands of database files are created and deleted: in memory if there is
 * room, because ext4 creates files slowly for half a minute after others were deleted. Programs may not be
 * allowed to run from it.
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
 * Creates an empty folder in `parent` that only this user may enter, and that is deleted when the test
 * process ends.
 *
 * It outlives the test that created it, so a server that is still closing finds its files. A process that is
 * killed leaves its folders to the system.
 */
export function temporaryFolder(parent = tmpdir()): string {
  if (folders.length === 0) process.once("exit", removeAll);
  const folder = mkdtempSync(join(parent, "postern-test-"));
  folders.push(folder);
  return folder;
}
