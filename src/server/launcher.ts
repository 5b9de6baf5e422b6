/**
 * The process that launched the server. npm runs commands in a shell, which ends at SIGTERM without
 * forwarding the signal. If `bin/postern.js` runs in an old Node.js version, that process starts the server
 * in a newer version, and may be killed.
 */

/** In milliseconds. No portable notification reports the end of the parent process. */
const interval = 200;

/** Set by `bin/postern.js` and removed before the settings are read. */
const handedOver = "POSTERN_HANDED_OVER_BY";

/**
 * Returns the process whose end stops this one: the old Node.js that started it, or npm's shell; undefined
 * if there is neither. Call this once and before anything else, because that process may end soon.
 */
export function launcherOf(env: Record<string, string | undefined>): number | undefined {
  const old = env[handedOver];
  delete env[handedOver];
  if (old !== undefined) return Number(old);
  return env.npm_lifecycle_event === undefined ? undefined : process.ppid;
}

/** Calls `ended` once when the launcher has ended, and this process therefore has another parent. */
export function onLauncherEnd(launcher: number, ended: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    ended();
  }, interval).unref();
}
