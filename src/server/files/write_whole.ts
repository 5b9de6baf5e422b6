import { writeSync } from "node:fs";

/**
 * Writes all of the content. On a full disk, a single `writeSync` may write only the beginning and report no
 * error. The error contains the name.
 */
export function writeWhole(file: number, content: string | Uint8Array, name: string): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } catch (error) {
    throw unwritable(name, error);
  }
}

/** Returns an error that names what could not be written: Node's errors for a descriptor contain no path. */
export function unwritable(name: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`${name} cannot be written: ${reason}`, { cause });
}
