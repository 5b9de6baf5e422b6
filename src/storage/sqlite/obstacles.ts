/** Names what the file system says about a file that SQLite cannot use, because SQLite's own messages do not. */
import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

const { R_OK, W_OK, X_OK } = constants;
/** The disk counts as full if fewer bytes are free. Most commits write less. */
const leastRoom = 1024 * 1024;

/** The disk and folder of a link's target matter, not those of the link. */
const linked = (path: string) => (existsSync(path) ? realpathSync(path) : path);

/** Returns whether the disk of the file is full. */
export function isFull(path: string): boolean {
  const { blocks, bavail, bsize } = statfsSync(dirname(linked(path)));
  // `blocks` is 0 if the file system does not report its size.
  return blocks > 0 && bavail * bsize < leastRoom;
}

/** Returns the cause with what to do; undefined if the file system shows none. */
export function obstacleTo(input: string): string | undefined {
  const path = linked(input);
  const folder = dirname(path);
  if (!existsSync(folder)) return undefined;
  const files = ["", "-wal", "-shm", "-journal"].map((suffix) => path + suffix).filter(existsSync);
  if (files.includes(path) && statSync(path).isDirectory()) return `${path} is a folder`;
  if (isFull(path)) return `the disk of ${folder} is full: free space`;
  const misplaced = files.find((file) => statSync(file).isDirectory());
  if (misplaced !== undefined) return `${misplaced} is a folder: move it`;
  return lackOfAccess(folder, X_OK) ?? files.map((file) => lackOfAccess(file)).find(Boolean);
}

function lackOfAccess(path: string, further = 0): string | undefined {
  try {
    accessSync(path, R_OK | W_OK | further);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS"
      ? `the file system of ${path} is mounted read-only`
      : `this account cannot write ${path}: change its owner or mode`;
  }
}
