import { statfs } from "node:fs/promises";
import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_bytes: number;
  readonly system: string;
  readonly node: string;
  /**
   * Whether the folder of a database is in memory. If it is, the result proves nothing, because durable
   * writes cost nothing there.
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
