import { readdir, readFile } from "node:fs/promises";
import { setPriority } from "node:os";

const tasks = "/proc/self/task";
const lower = 10;

/**
 * Lowers the priority of the threads that sign and hash, so that the event loop runs first. Does nothing
 * except on Linux, because `setPriority` can change single threads only there.
 */
export async function lowerPoolPriority(): Promise<void> {
  if (process.platform !== "linux") return;
  // `readdir` itself uses the thread pool, so the pool's threads exist by now.
  for (const task of await readdir(tasks)) {
    const name = await readFile(`${tasks}/${task}/comm`, "utf8").catch(() => "");
    if (name.startsWith("libuv-worker")) setPriority(Number(task), lower);
  }
}
