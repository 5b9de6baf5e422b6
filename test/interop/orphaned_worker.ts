/**
 * Preloaded into a server of several processes. A worker that is about to listen kills its primary process,
 * as if the primary had crashed.
 */
import cluster from "node:cluster";
import { Server } from "node:net";

if (cluster.isWorker) {
  const { listen } = Server.prototype;
  const primary = process.ppid;
  Server.prototype.listen = function (this: Server, ...input: never[]) {
    // If the other worker was faster, the primary process has already been killed, and this worker has
    // another parent.
    const isLost = primary === 1 || process.ppid !== primary;
    if (!isLost) process.kill(primary, "SIGKILL");
    while (!isLost && process.ppid === primary);
    return (listen as (...input: never[]) => Server).apply(this, input);
  } as typeof listen;
}
