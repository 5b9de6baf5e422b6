/**
 * The process between the server and who started it. npm runs commands behind a shell, which ends at SIGTERM
 * without passing the signal on; an old Node starts a newer one, and may be killed.
 */

/**
 * Milliseconds between two looks. Nothing tells a process of its parent's end in a way that every system has.
 */
const interval = 200;

/** Written by `bin/postern.js`; no setting, and gone before settings are read. */
const handedOver = "POSTERN_HANDED_OVER_BY";

/**
 * The process that this one ends with: the old Node that handed over to it, or that which npm runs it behind;
 * undefined where neither does. To be asked first of all, and once: it may end soon.
 */
export function launcherOf(env: Record<string, string | undefined>): number | undefined {
  const old = env[handedOver];
  delete env[handedOver];
  if (old !== undefined) return Number(old);
  return env.npm_lifecycle_event === undefined ? undefined : process.ppid;
}

/** Calls `ended` once when the launcher has ended: the process has another parent then. */
export function onLauncherEnd(launcher: number, ended: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    ended();
  }, interval).unref();
}
