import { setTimeout as pause } from "node:timers/promises";

/**
 * Waits until the condition holds, asking again every few milliseconds. Throws with `what` when it does not
 * hold within `seconds`: a bound for what hangs, far above what the slowest machine needs, so that no test
 * passes or fails by how busy the machine is.
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
