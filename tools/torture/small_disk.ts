/**
 * A tmpfs of a few megabytes that can be filled like a disk. Only root may mount it, and only if the machine
 * allows mounting.
 */
import { spawnSync } from "node:child_process";
import { appendFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../../test/support/temp.ts";

const megabytes = 24;

export interface SmallDisk {
  readonly folder: string;
  /** Uses all space that is left. */
  fill(): void;
  /** Frees the used space. */
  empty(): void;
  remove(): void;
}

/** Returns why this machine does not support a small disk; undefined if it does. */
export function whyNoSmallDisk(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0)
    return "only root on Linux can mount a small disk";
  try {
    smallDisk().remove();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const mounted = new Set<string>();
process.once("exit", () => {
  for (const folder of mounted) spawnSync("umount", ["--lazy", folder]);
});

/** Mounts the disk. Throws if mounting is not allowed. */
export function smallDisk(): SmallDisk {
  const folder = temporaryFolder();
  const { status, stderr } = spawnSync(
    "mount",
    ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "tmpfs", folder],
    { encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`a small disk cannot be mounted here: ${stderr?.trim()}`);
  mounted.add(folder);
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      try {
        appendFileSync(filler, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // The server used some of the space in the meantime.
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove() {
      spawnSync("umount", ["--lazy", folder]);
      mounted.delete(folder);
    },
  };
}
