/** The audit stream to a file: a line of JSON for each event. */
import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR, R_OK, W_OK } = constants;

const newline = 10;

/**
 * Appends lines, whole or not at all, and forces them to disk. The file is opened by its name each time, so
 * that one that was rotated away is left alone. Made with mode 0600.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    const found = fstatSync(file);
    // A pipe or a terminal may hold up the process, takes no fsync, and cannot be cut back.
    if (!found.isFile()) throw noRegularFile(path);
    const before = found.size;
    const last = Buffer.alloc(1);
    // A crash may have left half a line.
    const isWhole = before === 0 || readSync(file, last, 0, 1, before - 1) === 0 || last[0] === newline;
    const bytes = Buffer.from(`${isWhole ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } catch (error) {
      // The next write mends half a line where this fails.
      try {
        ftruncateSync(file, before);
      } catch {}
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

/** Throws where lines could not be appended by now, and makes no file. */
export function requireAppendable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw noRegularFile(path);
  if (found) accessSync(path, R_OK | W_OK);
  else accessSync(dirname(path), W_OK);
}

const noRegularFile = (path: string) => new Error(`${path} is no regular file`);
