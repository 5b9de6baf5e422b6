import { readFileSync } from "node:fs";
import { familyOf } from "./process_usage.ts";

/** What processes have written so far; bytes are those that went to the storage layer. */
export interface StorageWrites {
  readonly bytes: number;
  /** Calls of write and its kin, to sockets too. */
  readonly calls: number;
}

/** Of a living process and all that descend from it (proc(5), `io`); null where it is not known. */
export function storageWrites(pid: number): StorageWrites | null {
  try {
    const each = familyOf(pid).map((member) => {
      const text = readFileSync(`/proc/${member}/io`, "utf8");
      const figure = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? 0);
      return { bytes: figure("write_bytes") - figure("cancelled_write_bytes"), calls: figure("syscw") };
    });
    if (each.length === 0) return null;
    return {
      bytes: each.reduce((sum, { bytes }) => sum + bytes, 0),
      calls: each.reduce((sum, { calls }) => sum + calls, 0),
    };
  } catch {
    return null;
  }
}
