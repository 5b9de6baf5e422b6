/** A private temporary file: lines that are written once and then read. */
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeWhole } from "../../server/files/write_whole.ts";

export interface Spool {
  write(line: string): void;
  /** The iteration throws at its end if the file lacks lines that were written. */
  lines(): Iterable<string>;
  close(): void;
}

const chunk = 65_536;

/**
 * Except on Windows, the file is unlinked as soon as it is opened, so that nothing remains if the process is
 * killed (MG-8).
 */
export function openSpool(): Spool {
  const folder = mkdtempSync(join(tmpdir(), "postern-import-"));
  const handle = openSync(join(folder, "lines"), "wx+", 0o600);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Windows may refuse to remove a file that is open.
  if (process.platform !== "win32") remove();
  let waiting = "";
  let written = 0;
  const flush = () => {
    writeWhole(handle, waiting, `the temporary file in ${tmpdir()}`);
    waiting = "";
  };
  return {
    write(line) {
      waiting += `${line}\n`;
      written += 1;
      if (waiting.length > chunk) flush();
    },
    *lines() {
      flush();
      let read = 0;
      for (const line of linesIn(handle)) {
        read += 1;
        yield line;
      }
      if (read !== written)
        throw new Error(
          `the temporary file in ${tmpdir()} has only ${read} of ${written} lines: free space, and repeat the command`,
        );
    },
    close() {
      closeSync(handle);
      remove();
    },
  };
}

/** `node:readline` would also break lines at U+2028 and U+2029, which JSON may contain. */
function* linesIn(handle: number): Generator<string> {
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(chunk);
  let rest = "";
  for (let at = 0, length = -1; length !== 0; at += length) {
    length = readSync(handle, buffer, 0, chunk, at);
    const lines = (rest + decoder.decode(buffer.subarray(0, length), { stream: length > 0 })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
