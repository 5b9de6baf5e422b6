/**
 * Preloaded into a server of several processes: a worker that is about to listen loses its primary process.
 */
import cluster from "node:cluster";
import { Server } from "node:net";

if (cluster.isWorker) {
  const { listen } = Server.prototype;
  const primary = process.ppid;
  Server.prototype.listen = function (this: Server, ...input: never[]) {
    // If the other worker was faster, the parent is now another process of the machine.
    const isLost = primary === 1 || process.ppid !== primary;
    if (!isLost) process.kill(primary, "SIGKILL");
    while (!isLost && process.ppid === primary);
    return (listen as (...input: never[]) => Server).apply(this, input);
  } as typeof listen;
}
