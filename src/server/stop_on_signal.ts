/** How a running command ends. */
import cluster from "node:cluster";
import type { Log } from "../ops/log.ts";
import { onLauncherEnd } from "./launcher.ts";
import { stopLimit } from "./stop_budget.ts";

/**
 * Milliseconds in which a second signal is the first one again: at Ctrl-C the terminal signals the server,
 * and so does npm.
 */
const sameSignal = 1000;

/**
 * Stops at SIGTERM, SIGINT or SIGHUP, and when the launcher has ended. Running requests are finished, ten seconds at
 * most, and the process exits with 0. A second signal ends it at once, and its workers with it.
 */
export function stopOnSignal(log: Log, stop: () => Promise<void>, launcher?: number): void {
  let stoppedAt: number | undefined;

  function begin(reason: string): void {
    stoppedAt = performance.now();
    log.info({ signal: reason }, "stopping");
    setTimeout(() => {
      log.error({}, "stopping took too long");
      process.exit(1);
    }, stopLimit).unref();
    stop().then(
      () => process.exit(0),
      (err) => {
        log.error({ err }, "stopping failed");
        process.exit(1);
      },
    );
  }

  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppedAt === undefined) begin(signal);
    // A worker hears of one stop twice: from the sender that signals all processes, and from the process that
    // started it.
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
