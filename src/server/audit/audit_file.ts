/** Writes audit events to a file, one JSON object per line. */
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
} from "node:fs";
import { dirname } from "node:path";
import { writeWhole } from "../files/write_whole.ts";

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR, R_OK, W_OK } = constants;

const newline = 10;

/**
 * Appends the lines and flushes the file to disk. Opens the file by name on each call, so that log rotation
 * works. On an error, removes the lines that it has written and throws.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  const file = openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    const found = fstatSync(file);
    // A write to a pipe or a terminal may block the process.
    if (!found.isFile()) throw noRegularFile(path);
    const before = found.size;
    const last = Buffer.alloc(1);
    // After a crash, the file may end in an incomplete line, which needs a newline first.
    const isWhole = before === 0 || readSync(file, last, 0, 1, before - 1) === 0 || last[0] === newline;
    const bytes = Buffer.from(`${isWhole ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`);
    try {
      writeWhole(file, bytes, path);
      fsyncSync(file);
    } catch (error) {
      // If the truncation fails too, the next call ends the incomplete line with a newline.
      try {
        ftruncateSync(file, before);
      } catch {}
      throw error;
    }
  } finally {
    closeSync(file);
  }
}

/** Throws unless the path is a writable regular file, or can be created in its folder. Creates no file. */
export function requireAppendable(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw noRegularFile(path);
  if (found) accessSync(path, R_OK | W_OK);
  else accessSync(dirname(path), W_OK);
}

const noRegularFile = (path: string) => new Error(`${path} is not a regular file`);
