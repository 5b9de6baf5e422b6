import { randomInt } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { isRunning } from "./is_running.ts";

const lowest = 12_000;
const highest = 32_000;

/**
 * The folder with one empty file for each port that a process of this user has leased: `<port>.<process id>`.
 * It is not below `TMPDIR`, because the processes of one run may have different ones.
 */
const leases = join(
  process.platform === "win32" ? tmpdir() : "/tmp",
  `postern-test-ports-${userInfo().username}`,
);

/** Returns whether systems reserve the port for programs that request it by number. */
export function isLasting(port: number): boolean {
  return port >= lowest && port < highest;
}

/**
 * Returns a free port, below those that systems assign to outgoing connections: such a port could be taken
 * while its server restarts, and a connection to it could even reach itself.
 *
 * It is leased to this process until the process ends, whether or not a server listens on it, so a database
 * that is stopped for seconds gets its port again. If `wanted` is free, it is that port.
 */
export async function freePort(wanted?: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const port = attempt === 0 && wanted !== undefined ? wanted : randomInt(lowest, highest);
    if (!lease(port)) continue;
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

/**
 * Leases the port to this process, unless a running one has it. Each process writes its file before it looks
 * for others, so at most one of two concurrent processes continues.
 */
function lease(port: number): boolean {
  const own = `${port}.${process.pid}`;
  mkdirSync(leases, { recursive: true });
  try {
    writeFileSync(join(leases, own), "", { flag: "wx" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  let others = 0;
  for (const name of readdirSync(leases)) {
    const pid = Number(name.split(".")[1]);
    if (!isRunning(pid)) rmSync(join(leases, name), { force: true });
    else if (name !== own && name.startsWith(`${port}.`)) others += 1;
  }
  if (others > 0) rmSync(join(leases, own), { force: true });
  return others === 0;
}
