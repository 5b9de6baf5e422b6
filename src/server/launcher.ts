/**
 * Detects the end of the process that launched the server. npm's shell ends at SIGTERM without forwarding the
 * signal.
 */

/** In milliseconds. No portable notification reports the end of a parent process. */
const interval = 200;

/**
 * `bin/postern.js` sets this variable to its process ID if it starts the server in another Node.js version.
 */
const handedOver = "POSTERN_HANDED_OVER_BY";

/**
 * Returns the process ID of the launcher: an old Node.js version or npm's shell; undefined if neither
 * launched this process. Call this first of all, because the launcher may end soon.
 */
export function launcherOf(env: Record<string, string | undefined>): number | undefined {
  const old = env[handedOver];
  delete env[handedOver];
  if (old !== undefined) return Number(old);
  return env.npm_lifecycle_event === undefined ? undefined : process.ppid;
}

/** Calls `ended` once, after the operating system has assigned another parent to this process. */
export function onLauncherEnd(launcher: number, ended: () => void): void {
  const timer = setInterval(() => {
    if (process.ppid === launcher) return;
    clearInterval(timer);
    ended();
  }, interval).unref();
}
