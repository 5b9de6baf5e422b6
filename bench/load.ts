/**
 * The load generator, a process of its own: a LoadPlan on standard input, a LoadReport on standard output.
 *
 * Requests are prepared bytes on bare sockets and answers are read by a few lines that know only what they must, so that
 * the generator takes little of the cores which it shares with the server that it measures.
 */
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { openConnection } from "./connection.ts";
import type { HttpResponse } from "./http_response.ts";
import type { LoadPlan, LoadReport } from "./load_plan.ts";
import { busySeconds, cpuSeconds } from "./process_usage.ts";
import { percentile, sampleOf } from "./statistics.ts";

/** How long the last requests may take. */
const patience_seconds = 5;
/** How long a plan that counts answers may take to get them. */
const countTimeout_seconds = 60;

async function generateLoad(plan: LoadPlan): Promise<LoadReport> {
  const url = new URL(plan.url);
  const requests = plan.bodies.map((body) => requestBytes(plan, url, body));
  const expected = plan.expected.map((part) => Buffer.from(part));
  const wanted = "answers" in plan.until ? plan.until.answers : Number.POSITIVE_INFINITY;

  const statuses: Record<string, number> = {};
  const faults: Record<string, number> = {};
  const latencies: number[] = [];
  const sample = sampleOf<string>(plan.kept_answers, Math.random);
  let phase: "warm-up" | "measuring" | "over" = "warm-up";
  let sent = 0;

  const countFault = (reason: string) => {
    faults[reason] = (faults[reason] ?? 0) + 1;
  };

  function onAnswer({ status, body }: HttpResponse, latency_ms: number): void {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status !== 200) countFault(`status ${status}`);
    else if (!expected.every((part) => body.includes(part))) countFault("not the expected body");
    else if (phase === "measuring" && latencies.length < wanted) {
      latencies.push(latency_ms);
      sample.offer(() => body.toString());
    }
  }

  const connections = Array.from({ length: plan.connections }, () =>
    openConnection({
      host: loopbackHost(url),
      port: Number(url.port),
      nextRequest: () => (phase === "over" ? undefined : requests[sent++ % requests.length]),
      onAnswer,
      onFault: countFault,
    }),
  );

  await sleep(plan.warm_up_seconds * 1000);
  const before = readClocks(plan.watched_pids);
  phase = "measuring";
  if ("seconds" in plan.until) await sleep(plan.until.seconds * 1000);
  else await holds(() => latencies.length >= wanted, countTimeout_seconds);
  phase = "over";
  const after = readClocks(plan.watched_pids);

  await holds(() => !connections.some(({ waiting }) => waiting()), patience_seconds);
  for (const connection of connections) {
    if (connection.waiting()) countFault(`no answer within ${patience_seconds} s`);
    connection.close();
  }

  const seconds = after.wall - before.wall;
  const own_cpu_seconds = after.own - before.own;
  const cpu_seconds =
    after.watched === null || before.watched === null ? null : after.watched - before.watched;
  // The clocks tick in hundredths of a second, so a little less than nothing can come out.
  const foreign = Math.max(0, after.busy - before.busy - own_cpu_seconds - (cpu_seconds ?? 0));
  return {
    answers: latencies.length,
    seconds,
    per_second: latencies.length / seconds,
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    failures: Object.values(faults).reduce((sum, count) => sum + count, 0),
    faults,
    statuses,
    kept: sample.kept,
    cpu_seconds,
    own_cpu_seconds,
    foreign_cpu_share: cpu_seconds === null ? null : foreign / (seconds * availableParallelism()),
  };
}

function requestBytes({ method, headers }: LoadPlan, url: URL, body: string): Buffer {
  const fields = Object.entries({ Host: url.host, Connection: "keep-alive", ...headers });
  if (method === "POST") fields.push(["Content-Length", String(Buffer.byteLength(body))]);
  const head = [
    `${method} ${url.pathname}${url.search} HTTP/1.1`,
    ...fields.map((field) => field.join(": ")),
  ];
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function loopbackHost({ hostname }: URL): string {
  if (hostname === "127.0.0.1" || hostname === "localhost") return "127.0.0.1";
  if (hostname === "[::1]") return "::1";
  throw new Error(`${hostname} is no loopback address`);
}

interface Clocks {
  readonly wall: number;
  readonly own: number;
  readonly watched: number | null;
  readonly busy: number;
}

/** All in seconds. */
function readClocks(pids: readonly number[]): Clocks {
  const { user, system } = process.cpuUsage();
  const each = pids.map(cpuSeconds);
  return {
    wall: performance.now() / 1000,
    own: (user + system) / 1e6,
    busy: busySeconds(),
    watched: each.reduce((sum, seconds) => (sum === null || seconds === null ? null : sum + seconds), 0),
  };
}

/** Waits until the condition holds, at most so long. */
async function holds(condition: () => boolean, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!condition() && performance.now() < deadline) await sleep(5);
}

const report = await generateLoad(JSON.parse(await text(process.stdin)) as LoadPlan);
process.stdout.write(`${JSON.stringify(report)}\n`);
