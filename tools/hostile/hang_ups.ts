/** Measures the latency of `/healthz` of a server process while clients send 60 kB and disconnect. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { servedProcess } from "../../test/support/process.ts";
import { hostileMembers } from "./texts.ts";

/** Maximum factor by which `/healthz` may be slower than on an idle server. */
export const mostTimes = 5;

export interface HangUpFigures {
  /** 99th percentile of `/healthz` in milliseconds: without other load, and while clients disconnect. */
  readonly quiet_p99: number;
  readonly p99: number;
  readonly slowest: number;
}

const rounds = 20;
const callers = 20;

function percentile(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}

export async function hangUps(): Promise<HangUpFigures> {
  const served = await servedProcess({});
  const { hostname, port } = new URL(served.url);
  const health = () =>
    new Promise<number>((resolve, reject) => {
      const started = performance.now();
      httpRequest({ hostname, port, path: "/healthz" }, (answer) => {
        answer.resume().on("end", () => resolve(performance.now() - started));
      })
        .on("error", reject)
        .end();
    });
  const words = hostileMembers.find(([name]) => name === "language words")?.[1] ?? "";
  const body = `ui_locales=${words}`;
  const message = `POST /login HTTP/1.1\r\nHost: ${hostname}:${port}\r\nAccept: text/html\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  async function hangUp(): Promise<void> {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => {});
    await once(socket, "connect");
    await new Promise((resolve) => socket.write(message, resolve));
    socket.destroy();
  }
  /** Requests `/healthz` repeatedly for this number of milliseconds, and returns the response times. */
  async function watch(length: number): Promise<number[]> {
    const times: number[] = [];
    for (const until = performance.now() + length; performance.now() < until; await pause(2))
      times.push(await health());
    return times;
  }
  await watch(1000);
  const quiet = await watch(3000);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [seen] = await Promise.all([watch(100), ...Array.from({ length: callers }, hangUp)]);
    times.push(...seen);
  }
  await served.stop();
  return { quiet_p99: percentile(quiet), p99: percentile(times), slowest: Math.max(...times) };
}
