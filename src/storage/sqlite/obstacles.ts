/** Names what the file system says about a file that SQLite cannot use, because SQLite's own messages do not. */
import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The disk counts as full if fewer bytes are free. Most commits write less. */
const leastRoom = 1024 * 1024;

/** Returns whether the disk of the file is full. */
export function isFull(path: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(dirname(path));
  // `blocks` is 0 if the file system does not report its size.
  return blocks > 0 && bavail * bsize < leastRoom;
}

/** Returns the cause with what to do; undefined if the file system shows none. */
export function obstacleTo(path: string): string | undefined {
  const folder = dirname(path);
  if (!existsSync(folder)) return undefined;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return `${path} is a folder`;
  if (isFull(path)) return `the disk of ${folder} is full: free space`;
  const closed = [folder, ...["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix)].find(
    (each) => existsSync(each) && !isWritable(each),
  );
  return closed && `this account cannot write ${closed}: change its owner or mode`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
