import cluster from "node:cluster";
import type { Log } from "../ops/log.ts";
import { onLauncherEnd } from "./launcher.ts";
import { stopLimit } from "./stop_budget.ts";

/** In milliseconds. After Ctrl-C, both the terminal and npm send a signal. */
const sameSignal = 1000;

/**
 * Calls `stop` at a signal or when the launcher process ends, and then exits. Another signal, more than a
 * second later, ends the process and its workers immediately.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>, launcher?: number): void {
  let stoppedAt: number | undefined;

  function begin(reason: string): void {
    stoppedAt = performance.now();
    log.info({ signal: reason }, "stopping");
    setTimeout(() => {
      log.error({}, "the shutdown took too long");
      process.exit(1);
    }, stopLimit).unref();
    stop().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, "the shutdown failed");
        process.exit(1);
      },
    );
  }

  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) begin(signal);
    // A worker may receive the same signal twice: from the sender, if it signals the process group, and from
    // the primary process.
    else if (!cluster.isWorker && performance.now() - stoppedAt > sameSignal) process.exit(1);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  process.on("SIGHUP", onSignal);
  if (launcher === undefined || cluster.isWorker) return;
  onLauncherEnd(launcher, () => {
    if (stoppedAt === undefined) begin("the process that started this one has ended");
  });
}
