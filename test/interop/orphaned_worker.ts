/** Preloaded into a server of several processes: a worker that is about to listen has lost its primary. */
import cluster from "node:cluster";
import { Server } from "node:net";

if (cluster.isWorker) {
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: Server, ...input: never[]) {
    const primary = process.ppid;
    process.kill(primary, "SIGKILL");
    while (process.ppid === primary);
    return (listen as (...input: never[]) => Server).apply(this, input);
  } as typeof listen;
}
