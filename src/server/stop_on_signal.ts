/** Stops a running command on a signal. */
import cluster from "node:cluster";
import type { Log } from "../ops/log.ts";
import { onLauncherEnd } from "./launcher.ts";
import { stopLimit } from "./stop_budget.ts";

/**
 * Milliseconds in which a second signal counts as the first: after Ctrl-C, both the terminal and npm signal
 * the server.
 */
const sameSignal = 1000;

/**
 * Stops at SIGTERM, SIGINT or SIGHUP, and when the launcher has ended. Running requests finish within ten
 * seconds, and the process exits with 0. Another signal, more than a second after the first one, ends the
 * process immediately, together with its workers.
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
    // A worker may get the signal twice: from the sender, who signals the whole process group, and from its
    // primary.
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
