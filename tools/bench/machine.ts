import { statfs } from "node:fs/promises";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_bytes: number;
  readonly system: string;
  readonly node: string;
  /**
   * Whether a database folder is in memory, where durable writes cost nothing, so the result would prove
   * nothing.
   */
  readonly folder_is_in_memory: boolean;
}

/** File systems of Linux without a disk: tmpfs and ramfs (statfs(2)). */
const inMemory: readonly number[] = [0x01021994, 0x858458f6];

export async function describeMachine(folders: readonly string[]): Promise<Machine> {
  const types = await Promise.all(folders.map(async (folder) => (await statfs(folder)).type));
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    system: `${platform()} ${arch()}, ${release()}`,
    node: process.version,
    folder_is_in_memory: platform() === "linux" && types.some((type) => inMemory.includes(type)),
  };
}
