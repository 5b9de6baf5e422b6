/** The order of a run: round by round, one server after the other, so that what else the machine does hits them alike. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkServer, discover } from "./checks.ts";
import type { Contender, RunningServer } from "./contender.ts";
import type { LoadReport } from "./load_plan.ts";
import { describeMachine } from "./machine.ts";
import { residentBytes } from "./process_usage.ts";
import { runLoad, runProgram, startServer } from "./processes.ts";
import type { BenchOptions, Load, Measurement, Results, Round, ServerRun } from "./results.ts";
import type { Scenario, Subject } from "./scenarios.ts";

export interface Run {
  readonly contenders: readonly Contender[];
  readonly scenarios: readonly Scenario[];
  readonly options: BenchOptions;
  /** An existing folder for the databases. */
  readonly folder: string;
  /** Makes a new folder of that name inside `folder`. */
  readonly makeFolder: (name: string) => Promise<string>;
  /** Is told what goes on. */
  readonly tell: (sentence: string) => void;
}

/** How long a started server is left alone before its memory counts as idle. */
const settling_ms = 700;
/** The limits need less time than the servers: nothing in them has to warm up. */
const limitSeconds = 1;
/** Answers of each measurement that are looked at closely. */
const inspectedAnswers = 20;

/** Runs the benchmark. Throws when a server cannot be started; wrong answers are faults in the results. */
export async function runBenchmark(run: Run): Promise<Results> {
  const { contenders, scenarios, options, tell } = run;
  const machine = await describeMachine(run.folder);
  const prepared: { contender: Contender; start: () => Promise<RunningServer> }[] = [];
  for (const contender of contenders) {
    tell(`preparing ${contender.name} ${contender.version}`);
    prepared.push({ contender, start: await contender.prepare(await run.makeFolder(contender.name)) });
  }

  const rounds: Round[] = [];
  for (let index = 0; index < options.rounds; index++) {
    tell(`round ${index + 1} of ${options.rounds}`);
    const rsa_limit = await measureRsaLimit();
    const constant = await measureConstant(options);
    const runs: ServerRun[] = [];
    // Whoever comes second finds a warmer machine.
    const order = index % 2 === 0 ? prepared : prepared.toReversed();
    for (const { contender, start } of order) runs.push(await runServer(contender, start, run));
    rounds.push({ rsa_limit, constant, runs });
  }

  return {
    machine,
    options,
    servers: contenders.map(({ name, version }) => ({ name, version })),
    scenarios: scenarios.map(({ name, remark, signatures }) => ({
      name,
      ...(remark !== undefined && { remark }),
      signatures,
    })),
    rounds,
  };
}

async function runServer(
  { name }: Contender,
  start: () => Promise<RunningServer>,
  { scenarios, options, tell }: Run,
): Promise<ServerRun> {
  await using server = await start();
  await sleep(settling_ms);
  const idle_bytes = residentBytes(server.pid);
  const endpoints = await discover(server);
  const subject: Subject = { server, endpoints, connections: options.connections, tokens: options.tokens };
  const measurements: Measurement[] = [];
  for (const scenario of scenarios) {
    const measurement = await measure(scenario, subject, options);
    tell(`  ${name}, ${scenario.name}: ${Math.round(measurement.load.per_second)} a second`);
    measurements.push(measurement);
  }
  const loaded_bytes = residentBytes(server.pid);
  return {
    server: name,
    cold_start_seconds: server.cold_start_seconds,
    idle_bytes,
    loaded_bytes,
    measurements,
  };
}

async function measure(scenario: Scenario, subject: Subject, options: BenchOptions): Promise<Measurement> {
  const { server, endpoints } = subject;
  await checkServer(server, endpoints);
  const report = await runLoad({
    ...(await scenario.requests(subject)),
    connections: options.connections,
    warm_up_seconds: options.warm_up_seconds,
    until: { seconds: options.measured_seconds },
    kept_answers: inspectedAnswers,
    watched_pids: [server.pid],
  });
  const faults: string[] = [];
  try {
    await scenario.check(subject, report.kept);
    await checkServer(server, endpoints);
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return { scenario: scenario.name, load: withoutAnswers(report), faults };
}

async function measureRsaLimit(): Promise<number> {
  const output = await runProgram(
    {
      args: [join(import.meta.dirname, "rsa_limit.ts")],
      env: { UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())) },
      input: { seconds: limitSeconds },
    },
    limitSeconds + 20,
  );
  return (JSON.parse(output) as { per_second: number }).per_second;
}

async function measureConstant({ connections }: BenchOptions): Promise<Load> {
  await using server = await startServer({
    args: [join(import.meta.dirname, "servers", "constant.ts")],
    ready_path: "/",
  });
  const report = await runLoad({
    url: server.url,
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    bodies: [`constant=${"x".repeat(190)}`],
    connections,
    warm_up_seconds: 0.7,
    until: { seconds: limitSeconds },
    expected: ['"constant"'],
    kept_answers: 0,
    watched_pids: [server.pid],
  });
  return withoutAnswers(report);
}

function withoutAnswers({ kept: _, ...load }: LoadReport): Load {
  return load;
}
