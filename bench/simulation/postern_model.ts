/** This server as queues: event loops, thread pools, commits and a database, with clients that wait. */
import { percentile } from "../statistics.ts";
import { newBatches } from "./batches.ts";
import { newMachine } from "./machine.ts";
import { randomOf } from "./random.ts";
import { newSimulation } from "./simulation.ts";
import { newLock, newStation, type Phase } from "./station.ts";

/** What one answer takes, milliseconds of processor time unless it says otherwise. */
export interface UnitCosts {
  /** On the event loop, without the row and the commit. */
  readonly loop: number;
  /** A signature or a hash, in a thread of the pool; 0 where there is none. */
  readonly pool: number;
  /** A signature in the one thread beside the event loop, where there is a core to spare (decision 116). */
  readonly thread?: number;
  /** Of the load generator. */
  readonly generator: number;
  /** Of PostgreSQL. */
  readonly database: number;
  /** Where it writes: its row, the commit that it shares, and how long some commits waited for the disk. */
  readonly written?: Written;
}

export interface Written {
  readonly row: number;
  readonly commit: number;
  readonly disk: readonly number[];
  /** Whether SQLite's writer holds event loop and lock while it waits for the disk. */
  readonly holds: boolean;
}

export interface Arrangement {
  readonly engine: "sqlite" | "postgres";
  readonly cores: number;
  readonly workers: number;
  readonly connections: number;
  /** Whether the load generator and PostgreSQL are on the same cores; else each has as many of its own. */
  readonly shared: boolean;
}

export interface Simulated {
  readonly per_second: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Jobs of a commit; NaN where none is made. */
  readonly jobs_a_commit: number;
}

/** A thread at nice +10 beside one at nice 0 (sched(7)): its weight is 110 of 1024. */
const poolWeight = 110 / 1024;
/** More threads of the pool than cores (decision 15). */
const furtherThreads = 3;
/** Commits under way at once, of one worker; one where the event loop is held up by them. */
const lanes = 2;
/** Connections to PostgreSQL, of one worker. */
const postgresConnections = 16;

/** Answers before anything counts, and those that count. */
export interface Length {
  readonly warm_up: number;
  readonly measured: number;
}

export function simulatePostern(
  costs: UnitCosts,
  { engine, cores, workers, connections, shared }: Arrangement,
  { seed, warm_up, measured }: Length & { readonly seed: number },
): Simulated {
  const simulation = newSimulation();
  const random = randomOf(seed);
  const machine = newMachine(simulation, cores);
  const elsewhere = () => (shared ? machine : newMachine(simulation, cores));
  const generator = newStation(simulation, elsewhere(), { threads: shared ? 1 : cores, weight: 1 });
  const databaseMachine = elsewhere();
  // One process writes at a time; PostgreSQL writes its log for all that wait.
  const writing = newLock();
  const { written } = costs;
  let commits = 0;
  let committed = 0;

  const loopShare = (share: number): readonly Phase[] =>
    share === 0 ? [] : [{ compute: random.exponential(share * costs.loop) }];

  const log = newBatches(simulation, 1, (_, then) =>
    simulation.after(random.oneOf(written?.disk ?? [0]), then),
  );
  const flushed = (then: () => void) => {
    log.announce();
    log.add(then);
  };

  function newWorker() {
    const loop = newStation(simulation, machine, { threads: 1, weight: 1 });
    const pool = newStation(simulation, machine, { threads: cores + furtherThreads, weight: poolWeight });
    const database = newStation(simulation, databaseMachine, { threads: postgresConnections, weight: 1 });
    const signing = newStation(simulation, machine, { threads: 1, weight: 1 });
    const heldUp = engine === "sqlite" && (written?.holds ?? false);
    const batches = newBatches(simulation, heldUp ? 1 : lanes, (jobs, then) => {
      commits += 1;
      committed += jobs;
      if (engine === "postgres") {
        database.run(
          () => [{ compute: jobs * costs.database }],
          () => flushed(then),
        );
        return;
      }
      const { row = 0, commit = 0, disk = [], holds = false } = written ?? {};
      const flush: Phase = { wait: random.oneOf(disk) };
      loop.run(
        () => [
          { take: writing },
          { compute: jobs * row + commit },
          ...(holds ? [flush] : []),
          { release: writing },
        ],
        () => (holds ? then() : simulation.after(flush.wait, then)),
      );
    });

    function store(then: () => void): void {
      if (written !== undefined) batches.add(then);
      else if (engine === "postgres") database.run(() => [{ compute: costs.database }], then);
      else then();
    }
    function compute(then: () => void): void {
      const { thread = 0 } = costs;
      if (thread > 0) (workers < cores ? signing : loop).run(() => [{ compute: thread }], then);
      else if (costs.pool > 0) pool.run(() => [{ compute: costs.pool }], then);
      else then();
    }

    /** Half of the event loop's work comes before what others do for it, half after. */
    return (then: () => void): void =>
      loop.run(
        () => loopShare(0.5),
        () => {
          if (written !== undefined) batches.announce();
          compute(() => store(() => loop.run(() => loopShare(0.5), then)));
        },
      );
  }

  const serve = Array.from({ length: workers }, newWorker);
  const latencies: number[] = [];
  let answers = 0;
  let began = 0;

  function ask(connection: number): void {
    generator.run(
      () => [{ compute: random.exponential(costs.generator) }],
      () => {
        const asked = simulation.now();
        serve[connection % workers]?.(() => {
          answers += 1;
          if (answers === warm_up) began = simulation.now();
          if (answers > warm_up) latencies.push(simulation.now() - asked);
          ask(connection);
        });
      },
    );
  }
  for (let connection = 0; connection < connections; connection++) ask(connection);
  simulation.run(() => latencies.length >= measured);

  return {
    per_second: (1000 * latencies.length) / (simulation.now() - began),
    p50_ms: percentile(latencies, 0.5),
    p99_ms: percentile(latencies, 0.99),
    jobs_a_commit: committed / commits,
  };
}
