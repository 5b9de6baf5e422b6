import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates the folder and its missing parents with access for the owner only. Node's recursive `mkdir` is not
 * used, because it never returns in folders such as /proc.
 */
export function makeFolder(path: string): void {
  const missing: string[] = [];
  for (let each = resolve(path); !existsSync(each); each = dirname(each)) missing.push(each);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, 0o700);
    } catch (cause) {
      // Another process may have created the folder in the meantime.
      if (existsSync(each)) continue;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new Error(`the folder ${each} cannot be created: ${reason}`, { cause });
    }
  }
}
