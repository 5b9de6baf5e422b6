/** The audit stream to a file: a line of JSON for each event. */
import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, writeSync } from "node:fs";

/**
 * Appends lines, whole or not at all, and forces them to disk. The file is opened by its name each time, so
 * that one that was rotated away is left alone. Made with mode 0600.
 */
export function appendLines(path: string, lines: readonly string[]): void {
  const file = openSync(path, "a", 0o600);
  try {
    const before = fstatSync(file).size;
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } catch (error) {
      // Half a line would spoil the one behind it.
      ftruncateSync(file, before);
      throw error;
    }
  } finally {
    closeSync(file);
  }
}
