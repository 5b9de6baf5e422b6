import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Makes a folder that only its owner may enter, and each one above it that is missing. Throws where one of
 * them cannot be made. Node's recursive `mkdir` would try for ever in a folder that takes none, as in /proc.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, 0o700);
    } catch (cause) {
      // Another process may have made it meanwhile.
      if (existsSync(each)) continue;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`the folder ${each} cannot be made: ${reason}`, { cause });
    }
  }
}
