import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createOutbound, OutboundError } from "./outbound.ts";
import type { ClonedOptions, FromThread, ToThread } from "./outbound_thread.ts";

/** The threads that hash passwords have the nice value 10, so they run first. */
const priority = 15;

// Only Linux applies `setPriority` to a single thread.
if (process.platform === "linux") setPriority(Number(basename(readlinkSync("/proc/thread-self"))), priority);

const clients = (workerData as readonly ClonedOptions[]).map(({ proxy, ...options }) =>
  createOutbound({ ...options, ...(proxy !== undefined && { proxy: new URL(proxy) }) }),
);

parentPort?.on("message", async ({ id, client, request }: ToThread) => {
  const reply = (message: FromThread) => parentPort?.postMessage(message);
  try {
    const answer = await clients[client]?.send(request);
    if (answer !== undefined) reply({ id, answer });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    reply({ id, kind: error.kind, host: error.host });
  }
});
