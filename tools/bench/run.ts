/**
 * Runs the benchmark in rounds, one server after the other, so that other load on the machine affects all
 * equally.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { type Algorithm, algorithms } from "./algorithms.ts";
import { checkServer, discover } from "./checks.ts";
import type { Contender, RunningServer, StartOptions, Workspace } from "./contender.ts";
import type { LoadReport } from "./load_plan.ts";
import { clockOptions } from "./loop_clock.ts";
import { describeMachine } from "./machine.ts";
import { type PostgresCluster, startPostgresCluster } from "./postgres_cluster.ts";
import { memoryOf } from "./process_usage.ts";
import { runLoad, runProgram, startServer } from "./processes.ts";
import type { BenchOptions, Load, Measurement, Results, Round, ServerRun } from "./results.ts";
import type { Limit, Scenario, Subject } from "./scenario.ts";
import type { SignatureLimit, SignatureLimitInput } from "./signature_limit.ts";

export interface Run {
  readonly contenders: readonly Contender[];
  readonly scenarios: readonly Scenario[];
  readonly options: BenchOptions;
  /** Duration of each measurement of a limit of the machine; by default 2. */
  readonly limit_seconds?: number;
  /** The path of the Postern program to measure; by default the checkout's. */
  readonly program?: string | undefined;
  /** An existing folder for the databases. */
  readonly folder: string;
  /** Creates a folder with this name inside `folder`. */
  readonly makeFolder: (name: string) => Promise<string>;
  readonly progress: (sentence: string) => void;
}

export interface Prepared {
  readonly contender: Contender;
  readonly start: (options: StartOptions) => Promise<RunningServer>;
  readonly scenarios: readonly Scenario[];
}

/** The time after the start until a server's memory counts as idle. */
const settling_ms = 700;
/** In seconds. Shorter than the measurement of a server, which needs a longer warm-up. */
const usualLimitSeconds = 2;
/** Number of responses per measurement whose content is checked. */
const inspectedAnswers = 20;

/** Runs the benchmark. Throws if a server cannot be started; wrong responses are errors in the results. */
export async function runBenchmark(run: Run): Promise<Results> {
  const { contenders, scenarios, options, limit_seconds = usualLimitSeconds, progress } = run;
  await using workspace = workspaceOf(run);
  const prepared = await prepareAll(run, workspace);
  const rounds: Round[] = [];
  for (let index = 0; index < options.rounds; index++) {
    progress(`round ${index + 1} of ${options.rounds}`);
    const { limits, verified } = await measureLimits(scenarios, limit_seconds);
    const generator = await measureGenerator(options, limit_seconds);
    const runs: ServerRun[] = [];
    // The order is reversed in every other round, because the second contender runs on a warmer machine.
    const order = index % 2 === 0 ? prepared : prepared.toReversed();
    for (const each of order) runs.push(await runServer(each, run));
    rounds.push({ limits, verified, generator, runs });
  }
  const cluster = await workspace.cluster();
  return {
    machine: await describeMachine([run.folder, ...(cluster ? [cluster.data_folder] : [])]),
    ...(cluster && { postgres: { version: cluster.version, settings: cluster.settings } }),
    options,
    servers: contenders.map(({ id, name, version }) => ({ id, name, version })),
    scenarios: scenarios.map(({ id, name, remark, bound }) => ({
      id,
      name,
      ...(remark !== undefined && { remark }),
      ...(bound !== undefined && { bound }),
    })),
    rounds,
  };
}

/** Returns the options of Node for a process in which each flush takes `flush_ms` milliseconds longer. */
function slowFlushOptions(flush_ms: number): string[] {
  const preload = pathToFileURL(join(import.meta.dirname, "slow_flush_preload.js"));
  preload.searchParams.set("ms", String(flush_ms));
  return ["--import", preload.href];
}

interface OwnedWorkspace extends Workspace, AsyncDisposable {
  /** Returns the run's PostgreSQL; undefined if no contender requested it. */
  readonly cluster: () => Promise<PostgresCluster | undefined>;
}

export function workspaceOf({ program, makeFolder, options, progress }: Run): OwnedWorkspace {
  let starting: Promise<PostgresCluster> | undefined;
  return {
    program,
    makeFolder,
    postgres() {
      starting ??= startPostgresCluster();
      return starting;
    },
    cluster: async () => starting,
    rows: options.rows,
    tokens: options.tokens,
    users: options.users,
    made: new Map(),
    progress,
    async [Symbol.asyncDispose]() {
      await (await starting)?.[Symbol.asyncDispose]();
    },
  };
}

export async function prepareAll(
  { contenders, scenarios, progress }: Run,
  workspace: Workspace,
): Promise<Prepared[]> {
  const prepared: Prepared[] = [];
  for (const contender of contenders) {
    const its = scenarios.filter(({ id }) => contender.scenarios?.includes(id) ?? true);
    if (its.length === 0) continue;
    progress(`preparing ${contender.name} (${contender.version})`);
    prepared.push({ contender, start: await contender.prepare(workspace), scenarios: its });
  }
  return prepared;
}

async function runServer(
  { contender, start, scenarios }: Prepared,
  { folder, options, progress }: Run,
): Promise<ServerRun> {
  const started = await measureStart(start);
  const file = contender.several_processes ? undefined : join(folder, "loop_clock.json");
  await using server = await startWithClock(start, file, options.flush_ms);
  const measurements: Measurement[] = [];
  for (const scenario of scenarios) {
    const measurement = await measure(scenario, server, options);
    if (measurement === undefined) continue;
    measurements.push(measurement);
    const { per_second, p50_ms, p99_ms } = measurement.load;
    const figures = `${Math.round(per_second)} a second, p50 ${p50_ms.toFixed(2)} ms, p99 ${p99_ms.toFixed(2)} ms`;
    progress(`  ${contender.name}, ${scenario.name}: ${figures}`);
    for (const error of measurement.errors) progress(`    ${error}`);
  }
  return { server: contender.id, ...started, measurements };
}

/**
 * Measures a start without a preloaded clock, because Postern cannot run its bundled program if a module is
 * preloaded.
 */
async function measureStart(
  start: Prepared["start"],
): Promise<Pick<ServerRun, "cold_start_seconds" | "idle">> {
  await using server = await start({});
  await sleep(settling_ms);
  return { cold_start_seconds: server.cold_start_seconds, idle: memoryNow(server) };
}

/**
 * Starts a server whose flushes take `flush_ms` longer. If `file` is given, the server reports its event loop
 * in it.
 */
export async function startWithClock(
  start: Prepared["start"],
  file: string | undefined,
  flush_ms = 0,
): Promise<RunningServer> {
  const slow = flush_ms > 0 ? slowFlushOptions(flush_ms) : [];
  if (file === undefined) return start({ node_options: slow });
  const server = await start({ node_options: [...clockOptions(file), ...slow] });
  return { ...server, clock: { pid: server.pid, file } };
}

/** Measures one scenario on a running server. Returns undefined if the server does not support it. */
export async function measure(
  scenario: Scenario,
  server: RunningServer,
  options: BenchOptions,
): Promise<Measurement | undefined> {
  const { connections, tokens, revocations, warm_up_seconds, measured_seconds } = options;
  const endpoints = await discover(server);
  await checkServer(server, endpoints);
  const subject: Subject = { server, endpoints, connections, tokens, revocations };
  const exercise = await scenario.prepare(subject);
  if (exercise === undefined) return undefined;
  const { work, background, warm_up, measured, check } = exercise;
  const report = await runLoad({
    origin: server.url,
    work,
    ...(background && { background }),
    warm_up: warm_up ?? { seconds: warm_up_seconds },
    measured: measured ?? { seconds: measured_seconds },
    kept_answers: inspectedAnswers,
    watched: server.watched,
    clock: server.clock,
  });
  const memory = memoryNow(server);
  const errors: string[] = [];
  try {
    await check(report.kept, report.carried);
    await checkServer(server, endpoints);
  } catch (error) {
    errors.push(error instanceof Error ? error.message : String(error));
  }
  return { scenario: scenario.id, load: withoutAnswers(report), memory, errors };
}

function memoryNow({ watched }: RunningServer): Measurement["memory"] {
  return Object.fromEntries(Object.entries(watched).map(([name, pid]) => [name, memoryOf(pid)]));
}

async function measureLimits(
  scenarios: readonly Scenario[],
  seconds: number,
): Promise<Pick<Round, "limits" | "verified">> {
  const isBoundBy = (limit: Limit) => scenarios.some(({ bound }) => bound?.limit === limit);
  const signatures: [Algorithm, SignatureLimit][] = [];
  for (const algorithm of algorithms.filter(isBoundBy)) {
    const input: SignatureLimitInput = { algorithm, seconds };
    signatures.push([algorithm, await measureLimit<SignatureLimit>("signature_limit.ts", input)]);
  }
  const argon2id = isBoundBy("argon2id")
    ? await measureLimit<{ per_second: number }>("argon2id_limit.ts", { seconds })
    : undefined;
  const of = (rate: keyof SignatureLimit) =>
    Object.fromEntries(signatures.map(([algorithm, limit]) => [algorithm, limit[rate]]));
  return {
    limits: { ...of("signed"), ...(argon2id && { argon2id: argon2id.per_second }) },
    verified: of("verified"),
  };
}

async function measureLimit<T>(program: string, input: { readonly seconds: number }): Promise<T> {
  const output = await runProgram(
    {
      args: [join(import.meta.dirname, program)],
      env: { UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())) },
      input,
    },
    2 * input.seconds + 20,
  );
  return JSON.parse(output) as T;
}

async function measureGenerator({ connections }: BenchOptions, seconds: number): Promise<Load> {
  await using server = await startServer({
    args: [join(import.meta.dirname, "servers", "constant.ts")],
    ready_path: "/",
  });
  const report = await runLoad({
    origin: server.url,
    work: {
      connections,
      steps: [
        {
          method: "POST",
          target: "/",
          headers: { "Content-Type": "application/x-www-form-urlencoded" },
          body: `constant=${"x".repeat(190)}`,
          expected: { status: 200, parts: ['"constant"'] },
        },
      ],
    },
    warm_up: { seconds: 0.7 },
    measured: { seconds },
    kept_answers: 0,
    watched: { server: server.pid },
  });
  return withoutAnswers(report);
}

function withoutAnswers({ kept: _, carried: _too, ...load }: LoadReport): Load {
  return load;
}
