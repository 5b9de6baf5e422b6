import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until the condition is true, checking every few milliseconds. Throws with `what` if it is not true
 * within `seconds`: a limit for hangs, far longer than the slowest machine needs, so that no result depends
 * on how busy the machine is.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what = String(condition),
  { seconds = 60 }: { seconds?: number } = {},
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${seconds} s in vain: ${what}`);
    await pause(5);
  }
}
