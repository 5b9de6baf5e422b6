/**
 * The load generator, a separate process: a LoadPlan on standard input, a LoadReport on standard output.
 * It writes prepared bytes to plain sockets and parses responses only as far as needed, so that it takes
 * little of the processor time that it shares with the measured server.
 */
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, openConnection } from "./connection.ts";
import type { Extent, LoadPlan, LoadReport } from "./load_plan.ts";
import { idleShare, readLoopClock } from "./loop_clock.ts";
import { busySeconds, cpuSeconds, firstThreadSeconds } from "./process_usage.ts";
import { percentile, sampleOf } from "./statistics.ts";
import { type Worker, workersOf } from "./worker.ts";

/** Maximum time to wait for responses after the duration of a measurement. */
const patience_seconds = 5;
/** Maximum time for a measurement whose length is a number of responses. */
const countTimeout_seconds = 60;

async function generateLoad(plan: LoadPlan): Promise<LoadReport> {
  const origin = new URL(plan.origin);
  const statuses: Record<string, number> = {};
  const errors: Record<string, number> = {};
  const latencies: number[] = [];
  const sample = sampleOf<string>(plan.kept_answers, Math.random);
  const wanted = "answers" in plan.measured ? plan.measured.answers : Number.POSITIVE_INFINITY;
  let phase: "warm-up" | "measuring" | "measured" | "over" = "warm-up";
  let warmed = 0;
  let inBackground = 0;

  const countError = (reason: string) => {
    errors[reason] = (errors[reason] ?? 0) + 1;
  };
  const counting = {
    onError: countError,
    onStatus: (status: number) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    },
  };

  function open(workers: readonly Worker[], pause_ms = 0): Connection[] {
    return workers.map((worker) =>
      openConnection({
        host: loopbackHost(origin),
        port: Number(origin.port),
        pause_ms,
        nextRequest: () => (phase === "over" ? undefined : worker.nextRequest()),
        onAnswer: worker.onAnswer,
        onError: worker.onError,
      }),
    );
  }

  const workers = workersOf(plan.work, origin.host, {
    ...counting,
    onDone(latency_ms, answer) {
      if (phase === "warm-up") warmed += 1;
      if (phase !== "measuring" || latencies.length >= wanted) return;
      latencies.push(latency_ms);
      sample.offer(answer);
    },
  });
  const connections = open(workers, plan.work.pause_ms);
  if (plan.background !== undefined) {
    const onDone = () => {
      if (phase === "measuring") inBackground += 1;
    };
    const others = workersOf(plan.background, origin.host, { ...counting, onDone });
    connections.push(...open(others, plan.background.pause_ms));
  }

  await passed(plan.warm_up, () => warmed);
  const loopBefore = plan.clock && (await readLoopClock(plan.clock));
  const before = readClocks(plan.watched);
  phase = "measuring";
  await passed(plan.measured, () => latencies.length);
  // On a busy machine, a short measurement may end before the first response. The latencies need at least
  // one.
  await holds(() => latencies.length > 0, patience_seconds);
  phase = "measured";
  const after = readClocks(plan.watched);
  // Read while requests are still in progress: without them the loop would be idle.
  const loopAfter = plan.clock && (await readLoopClock(plan.clock));
  phase = "over";

  await holds(() => !connections.some(({ waiting }) => waiting()), patience_seconds);
  for (const connection of connections) {
    if (connection.waiting()) countError(`no response within ${patience_seconds} s`);
    connection.close();
  }

  const seconds = after.wall - before.wall;
  const own_cpu_seconds = after.own - before.own;
  const cpu_seconds = Object.fromEntries(
    Object.keys(plan.watched).map((name) => [name, difference(before.watched[name], after.watched[name])]),
  );
  const loop_seconds = Object.fromEntries(
    Object.keys(plan.watched).map((name) => [name, difference(before.loops[name], after.loops[name])]),
  );
  const known = Object.values(cpu_seconds).reduce<number | null>(
    (sum, each) => (sum === null || each === null ? null : sum + each),
    0,
  );
  // The clocks have a resolution of hundredths of a second, so the result could be slightly negative.
  const foreign = Math.max(0, after.busy - before.busy - own_cpu_seconds - (known ?? 0));
  return {
    answers: latencies.length,
    seconds,
    per_second: latencies.length / seconds,
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    background_per_second: inBackground / seconds,
    failures: Object.values(errors).reduce((sum, count) => sum + count, 0),
    errors,
    statuses,
    kept: sample.kept,
    carried: workers.map(({ carried }) => carried()),
    cpu_seconds,
    own_cpu_seconds,
    loop_seconds,
    ...(loopBefore && loopAfter && { idle_share: idleShare(loopBefore, loopAfter) }),
    foreign_cpu_share: known === null ? null : foreign / (seconds * availableParallelism()),
  };
}

function loopbackHost({ hostname }: URL): string {
  if (hostname === "127.0.0.1" || hostname === "localhost") return "127.0.0.1";
  if (hostname === "[::1]") return "::1";
  throw new Error(`${hostname} is not a loopback address`);
}

interface Clocks {
  readonly wall: number;
  readonly own: number;
  readonly watched: Readonly<Record<string, number | null>>;
  readonly loops: Readonly<Record<string, number | null>>;
  readonly busy: number;
}

/** All values in seconds. */
function readClocks(watched: LoadPlan["watched"]): Clocks {
  const { user, system } = process.cpuUsage();
  return {
    wall: performance.now() / 1000,
    own: (user + system) / 1e6,
    busy: busySeconds(),
    watched: Object.fromEntries(Object.entries(watched).map(([name, pid]) => [name, cpuSeconds(pid)])),
    loops: Object.fromEntries(Object.entries(watched).map(([name, pid]) => [name, firstThreadSeconds(pid)])),
  };
}

function difference(before: number | null | undefined, after: number | null | undefined): number | null {
  return typeof before === "number" && typeof after === "number" ? after - before : null;
}

async function passed(extent: Extent, answers: () => number): Promise<void> {
  if ("seconds" in extent) await sleep(extent.seconds * 1000);
  else await holds(() => answers() >= extent.answers, countTimeout_seconds);
}

/** Waits until the condition holds or the time is over. */
async function holds(condition: () => boolean, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!condition() && performance.now() < deadline) await sleep(2);
}

const report = await generateLoad(JSON.parse(await text(process.stdin)) as LoadPlan);
process.stdout.write(`${JSON.stringify(report)}\n`);
