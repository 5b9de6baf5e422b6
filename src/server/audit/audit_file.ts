/** The audit stream to a file, one line of JSON per event. */
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
 * Appends lines atomically and flushes them to disk. Opens the file by its name each time, so a rotated
 * file is not written to. Creates it with mode 0600. Throws if the path is not a regular file or cannot
 * be written; then no line is appended.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    const found = fstatSync(file);
    // A pipe or a terminal may block the process, and supports neither fsync nor truncation.
    if (!found.isFile()) throw noRegularFile(path);
    const before = found.size;
    const last = Buffer.alloc(1);
    // A crash may have left an incomplete line.
    const isWhole = before === 0 || readSync(file, last, 0, 1, before - 1) === 0 || last[0] === newline;
    const bytes = Buffer.from(`${isWhole ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } catch (error) {
      // If the truncation fails, the next write first ends the incomplete line.
      try {
        ftruncateSync(file, before);
      } catch {}
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

/** Throws if lines cannot be appended. Creates no file. */
export function requireAppendable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw noRegularFile(path);
  if (found) accessSync(path, R_OK | W_OK);
  else accessSync(dirname(path), W_OK);
}

const noRegularFile = (path: string) => new Error(`${path} is not a regular file`);
