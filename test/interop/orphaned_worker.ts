/** Preloaded into a server of several processes: a worker that is about to listen has lost its primary. */
import cluster from "node:cluster";
import { Server } from "node:net";

if (cluster.isWorker) {
  const { listen } = Server.prototype;
  const primary = process.ppid;
  Server.prototype.listen = function (this: Server, ...input: never[]) {
    // The other worker may have been faster; then the parent is a process of the machine.
    const isLost = primary === 1 || process.ppid !== primary;
    if (!isLost) process.kill(primary, "SIGKILL");
    while (!isLost && process.ppid === primary);
    return (listen as (...input: never[]) => Server).apply(this, input);
  } as typeof listen;
}
