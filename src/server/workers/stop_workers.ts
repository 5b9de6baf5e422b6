/** Stops the workers of a server. */
/** The parts of a `node:cluster` worker that stopping needs. */
export interface StoppingWorker {
  readonly id: number;
  readonly process: { kill(signal: "SIGKILL"): unknown };
  on(event: "message", listener: () => void): unknown;
  once(event: "exit", listener: () => void): unknown;
  kill(signal: "SIGTERM"): unknown;
}

/**
 * Asks each worker to stop, and resolves when all have ended. A worker without a heartbeat for `maxWait`
 * milliseconds is hung; it is reported to `onStill` and killed.
 */
export async function stopWorkers(
  workers: readonly StoppingWorker[],
  { maxWait, onStill }: { readonly maxWait: number; readonly onStill: (id: number) => void },
): Promise<void> {
  const ended = workers.map((worker) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const still = setTimeout(() => {
      onStill(worker.id);
      worker.process.kill("SIGKILL");
    }, maxWait);
    worker.on("message", () => clearTimeout(still));
    worker.once("exit", () => {
      clearTimeout(still);
      resolve();
    });
    worker.kill("SIGTERM");
    return promise;
  });
  await Promise.all(ended);
}
