/** Runs the server in one process, or in several worker processes that share the port. */
import cluster from "node:cluster";
import { setTimeout as pause } from "node:timers/promises";
import type { Config } from "../config.ts";
import { createListener, type OwnListener } from "../http/serving/listener.ts";
import { createLog, type Log } from "../ops/log.ts";
import { type MetricsServer, serveMetrics } from "../ops/metrics_server.ts";
import type { Telemetry } from "../ops/telemetry.ts";
import { setupLinkHours } from "../people/entry/setup.ts";
import { bootstrap } from "./bootstrap.ts";
import { openEnvironment } from "./environment.ts";
import { unmailedFactors, warnOfMachine } from "./machine_warnings.ts";
import type { ServerProcess } from "./server_process.ts";
import { standardLines } from "./standard_lines.ts";
import { metricsFor, type RunningServer, startServer } from "./start_server.ts";
import { stopShares } from "./stop_budget.ts";
import { stopOnSignal } from "./stop_on_signal.ts";
import { readVersion } from "./version.ts";
import {
  beatInterval,
  restartPauses,
  stopWorkers,
  workerPulses,
  workerStarts,
} from "./workers/supervision.ts";
import { isPassing, longestClosed, whenPossible } from "./workers/waiting.ts";
import { lastSnapshot, type WorkerSnapshot, workerMetrics } from "./workers/worker_metrics.ts";

/** Starts the server, which runs until a signal stops it. */
export async function serve(config: Config, own: ServerProcess): Promise<void> {
  const serves = cluster.isWorker || config.workers === 1;
  const telemetry = serves ? await telemetryOf(config) : undefined;
  const ids = telemetry?.tracing?.ids;
  const log = createLog({ level: config.log_level, destination: standardLines(1), now: own.now, ids });
  telemetry?.onError(errorLogger(log));
  if (cluster.isWorker) await runWorker(config, log, own, telemetry);
  else if (config.workers > 1) await runPrimary(config, log, own);
  else await runAlone(config, log, own, telemetry);
}

async function telemetryOf({ telemetry }: Config): Promise<Telemetry | undefined> {
  if (telemetry === undefined) return undefined;
  const { startTelemetry } = await import("../ops/telemetry.ts");
  return startTelemetry(telemetry, readVersion());
}

const betweenErrors = 60_000;

function errorLogger(log: Log): (err: Error) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (err) => {
    if (performance.now() - loggedAt < betweenErrors) return;
    loggedAt = performance.now();
    log.warn({ err }, "the collector did not accept telemetry");
  };
}

/** Writes the line `listening` to standard output whatever the log level is, because scripts wait for it. */
export function sayListening(own: ServerProcess, config: Config, url: string, metrics?: MetricsServer): void {
  const line = { level: "info", time: own.now().toISOString(), pid: process.pid, msg: "listening", url };
  const about = { database: config.database.kind, workers: config.workers, metrics_port: metrics?.port };
  standardLines(1).write(`${JSON.stringify({ ...line, ...about })}\n`);
}

/**
 * Logs warnings for the operator at startup. With `has_outbox`, emails appear on a page instead of being
 * sent.
 */
export function sayWarnings(log: Log, config: Config, { has_outbox = false } = {}): void {
  warnOfMachine(log, config);
  const unmailed = has_outbox ? undefined : unmailedFactors(config);
  if (unmailed !== undefined) log.warn({}, unmailed);
  if (!config.throttle)
    log.warn(
      {},
      "POSTERN_THROTTLE=off: password guessing is not limited; use this only for load tests on loopback",
    );
}

function saySetup({ setup_link }: RunningServer): void {
  if (setup_link === undefined) return;
  standardLines(2).write(
    `\nThere is no administrator yet. To create one, open this link within ${setupLinkHours} hours (it works once):\n\n  ${setup_link}\n\n`,
  );
}

async function runAlone(
  config: Config,
  log: Log,
  own: ServerProcess,
  telemetry: Telemetry | undefined,
): Promise<void> {
  sayWarnings(log, config);
  const listener = createListener(config);
  const stopping = new AbortController();
  let running: { server: RunningServer; metrics: MetricsServer | undefined } | undefined;
  const stop = async () => {
    stopping.abort();
    await running?.metrics?.close();
    await running?.server.close();
    await telemetry?.close(stopShares.telemetry);
  };
  stopOnSignal(log, stop, own.launcher);
  const options = {
    ...{ config, log, now: own.now, listener, telemetry, own_process: true },
    metrics: await metricsFor(config, telemetry),
  };
  const server = await untilStopped(stopping.signal, () =>
    whenPossible(() => startServer(options), { config, listener, log, signal: stopping.signal }),
  );
  if (server === undefined) return;
  running = { server, metrics: undefined };
  try {
    const metrics =
      config.metrics_port === undefined
        ? undefined
        : await serveMetrics(server.metrics, config.metrics_port, config.metrics_host);
    running = { server, metrics };
  } catch (error) {
    // An open listener would keep the process running.
    await stop();
    throw error;
  }
  const { metrics } = running;
  sayListening(own, config, server.url, metrics);
  saySetup(server);
}

async function untilStopped<R>(signal: AbortSignal, work: () => Promise<R>): Promise<R | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

type FromWorker =
  | { readonly type: "listening"; readonly url: string; readonly port: number }
  | { readonly type: "beat" }
  | WorkerSnapshot;

async function runPrimary(config: Config, log: Log, own: ServerProcess): Promise<void> {
  sayWarnings(log, config);
  const stopping = new AbortController();
  const workersNow = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
  const sayStill = (worker: number) => log.error({ worker }, "a worker is hung and will be killed");
  let metrics: MetricsServer | undefined;
  const stop = async () => {
    stopping.abort();
    await metrics?.close();
    await stopWorkers(workersNow(), { maxWait: stopShares.requests, onStill: sayStill });
  };
  stopOnSignal(log, stop, own.launcher);
  // A hung worker would keep the port and lock the database for the next start, so it is killed.
  process.once("exit", () => {
    for (const worker of workersNow()) worker.process.kill("SIGKILL");
  });
  // If `bootstrapOnce` takes too long, the workers start without it, and then wait for the database or report
  // the error themselves.
  await Promise.race([bootstrapOnce(config, own), pause(longestClosed, undefined, { ref: false })]);
  if (stopping.signal.aborted) return;

  const starts = workerStarts(config.workers);
  const pauses = restartPauses();
  const pulses = workerPulses();
  const counted = workerMetrics(workersNow);
  const fork = () => {
    if (stopping.signal.aborted) return;
    const worker = cluster.fork();
    worker.on("message", (message: FromWorker) => {
      if (message.type !== "metrics") pulses.beat(worker.id);
      if (message.type === "metrics" && message.id === lastSnapshot)
        counted.note(worker.id, message.snapshot);
      if (message.type !== "listening") return;
      // If the system chose the port, workers that start later must use the same one. The last `--port` on a
      // command line applies.
      cluster.setupPrimary({ args: [...process.argv.slice(2), "--port", String(message.port)] });
      worker.once("exit", pauses.prove());
      if (starts.listens(worker.id)) sayListening(own, config, message.url, metrics);
    });
  };
  // Waits for `disconnect`, because `exit` may arrive before the worker's last message.
  cluster.on("disconnect", (worker) => counted.end(worker.id));
  setInterval(() => {
    for (const id of pulses.count()) {
      sayStill(id);
      cluster.workers?.[id]?.process.kill("SIGKILL");
    }
  }, beatInterval).unref();
  cluster.on("exit", (worker, exitCode, signal) => {
    pulses.end(worker.id);
    if (stopping.signal.aborted) return;
    if (starts.failed(worker.id, signal)) {
      log.fatal({ worker: worker.id, exit_code: exitCode }, "a worker ended before it was listening");
      process.exit(1);
    }
    const wait = pauses.next();
    const fields = { worker: worker.id, exit_code: exitCode, signal, wait: Math.round(wait) };
    log.error(fields, "a worker ended; another one is started");
    setTimeout(fork, wait);
  });
  metrics =
    config.metrics_port === undefined
      ? undefined
      : await serveMetrics(counted, config.metrics_port, config.metrics_host);
  for (let started = 0; started < config.workers; started++) fork();
}

async function bootstrapOnce(config: Config, own: ServerProcess): Promise<void> {
  try {
    const environment = await openEnvironment(config, { now: own.now, serving: true });
    try {
      await bootstrap(environment, own.now);
    } finally {
      await environment.close();
    }
  } catch (error) {
    if (!isPassing(error)) throw error;
  }
}

async function runWorker(
  config: Config,
  log: Log,
  own: ServerProcess,
  telemetry: Telemetry | undefined,
): Promise<void> {
  // The channel to the primary process breaks only if that process has ended, so this worker ends too.
  cluster.worker?.on("error", () => process.exit(1));
  const listener = createListener({ ...config, shared: true });
  const stopping = new AbortController();
  let server: RunningServer | undefined;
  stopOnSignal(log, async () => {
    stopping.abort();
    await server?.close();
    if (server !== undefined) await sendLastCounts(server);
    await telemetry?.close(stopShares.telemetry);
  });
  setInterval(() => process.send?.({ type: "beat" } satisfies FromWorker), beatInterval).unref();
  server = await untilStopped(stopping.signal, () =>
    startWorker(config, listener, log, own, telemetry, stopping.signal),
  );
  if (server === undefined) return;
  const { metrics, url } = server;
  process.send?.({ type: "listening", url, port: await listener.port() } satisfies FromWorker);
  saySetup(server);
  process.on("message", async (message: { type: string; id: number }) => {
    if (message.type !== "metrics") return;
    process.send?.({
      type: "metrics",
      id: message.id,
      snapshot: await metrics.snapshot(),
    } satisfies FromWorker);
  });
}

async function sendLastCounts({ metrics }: Pick<RunningServer, "metrics">): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const snapshot = await metrics.snapshot();
  const message: FromWorker = { type: "metrics", id: lastSnapshot, snapshot };
  // Resolves even if the message cannot be sent: the counts are useless once the primary process has ended.
  process.send?.(message, undefined, undefined, resolve);
  await promise;
}

/**
 * A worker that cannot start must exit explicitly, because its channel to the primary process would keep it
 * running.
 */
async function startWorker(
  config: Config,
  listener: OwnListener,
  log: Log,
  own: ServerProcess,
  telemetry: Telemetry | undefined,
  signal: AbortSignal,
): Promise<RunningServer> {
  const options = {
    ...{ config, log, now: own.now, listener, telemetry, own_process: true },
    inviting: cluster.worker?.id === 1,
  };
  try {
    const metrics = await metricsFor(config, telemetry);
    return await whenPossible(() => startServer({ ...options, metrics }), { config, listener, log, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    own.err(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  }
}
