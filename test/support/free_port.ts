import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const lowest = 12_000;
const highest = 32_000;

/** Whether systems leave the port to those who ask for it by number. */
export function isLasting(port: number): boolean {
  return port >= lowest && port < highest;
}

/**
 * A port that nobody listens on, below those that systems give to outgoing connections: such a port could be
 * taken while what listens on it restarts, and a connection to it could even reach itself.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = randomInt(lowest, highest);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
  throw new Error("no free port was found");
}
