/**
 * The process between npm and the server: npm runs commands behind a shell, and a shell ends at SIGTERM
 * without passing the signal on.
 */

/**
 * Milliseconds between two looks. Nothing tells a process of its parent's end in a way that every system has.
 */
const interval = 200;

/**
 * The process that npm runs this one behind; undefined where npm does not. To be asked first of all: it may
 * end soon.
 */
export function launcherOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
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
