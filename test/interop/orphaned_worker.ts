/** Preloaded into a server of several processes: a worker that is about to listen has lost its primary. */
import cluster from "node:cluster";
import { Server } from "node:net";

if (cluster.isWorker) {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...given: never[]) {
    const primary = process.ppid;
    process.kill(primary, "SIGKILL");
    while (process.ppid === primary);
    return (listen as (...given: never[]) => Server).apply(this, given);
  } as typeof listen;
}
