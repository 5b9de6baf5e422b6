/** The simulator beside what queueing theory knows. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Load, Results } from "../../bench/results.ts";
import { coreTables } from "../../bench/simulation/core_tables.ts";
import { newMachine } from "../../bench/simulation/machine.ts";
import { type Arrangement, simulatePostern, type UnitCosts } from "../../bench/simulation/postern_model.ts";
import { randomOf } from "../../bench/simulation/random.ts";
import { newSimulation } from "../../bench/simulation/simulation.ts";
import { newStation } from "../../bench/simulation/station.ts";
import { unitCostsOf } from "../../bench/simulation/unit_costs.ts";
import { percentile } from "../../bench/statistics.ts";

const seed = 7;

function assertNear(measured: number, known: number, share: number): void {
  assert.ok(Math.abs(measured / known - 1) <= share, `${measured} instead of ${known}`);
}

/** How long customers stay that arrive by chance, `rate` a millisecond, and need 1 ms each in the mean. */
function stays(
  serve: (simulation: ReturnType<typeof newSimulation>) => (need: number, then: () => void) => void,
  rate: number,
  customers = 100_000,
): readonly number[] {
  const simulation = newSimulation();
  const random = randomOf(seed);
  const served = serve(simulation);
  const found: number[] = [];
  function arrive(): void {
    const came = simulation.now();
    served(random.exponential(1), () => found.push(simulation.now() - came));
    simulation.after(random.exponential(1 / rate), arrive);
  }
  arrive();
  simulation.run(() => found.length >= customers);
  return found;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Threads with one queue, with a core each. */
const queueOf = (threads: number) => (simulation: ReturnType<typeof newSimulation>) => {
  const station = newStation(simulation, newMachine(simulation, threads), { threads, weight: 1 });
  return (need: number, then: () => void) => station.run(() => [{ compute: need }], then);
};

describe("the simulator", () => {
  test("agrees with M/M/1: the stay is exponential, 1/(μ−λ) in the mean", () => {
    const found = stays(queueOf(1), 0.5);
    assertNear(mean(found), 2, 0.03);
    assertNear(percentile(found, 0.99), 2 * Math.log(100), 0.05);
  });

  test("agrees with M/M/3 by Erlang's formula", () => {
    const [servers, load] = [3, 2.4];
    const term = (n: number) => {
      let value = 1;
      for (let i = 1; i <= n; i++) value *= load / i;
      return value;
    };
    const all = term(servers) / (1 - load / servers);
    const waits = all / (term(0) + term(1) + term(2) + all);
    assertNear(mean(stays(queueOf(servers), load)), 1 + waits / (servers - load), 0.03);
  });

  test("agrees with a processor that all share: the mean of M/M/1, and none waits for its turn", () => {
    const found = stays((simulation) => {
      const machine = newMachine(simulation, 1);
      return (need, then) => machine.compute(1, need, then);
    }, 0.5);
    assertNear(mean(found), 2, 0.03);
  });

  test("shares cores by weight, and gives no thread more than one", () => {
    const simulation = newSimulation();
    const machine = newMachine(simulation, 2);
    const ends: Record<string, number> = {};
    const end = (name: string) => () => {
      ends[name] = simulation.now();
    };
    machine.compute(1, 3, end("heavy"));
    machine.compute(0.25, 2, end("light"));
    machine.compute(0.25, 2, end("another"));
    simulation.run(() => false);
    // One core is the heavy one's; the light ones share the other, and have one each when it is done.
    assert.deepEqual(ends, { heavy: 3, light: 3.5, another: 3.5 });
  });
});

const idle: UnitCosts = { loop: 0, pool: 0, generator: 0, database: 0 };
const one: Arrangement = { engine: "sqlite", cores: 8, workers: 1, connections: 8, shared: false };
const length = { seed, warm_up: 1000, measured: 15_000 };

describe("the model of this server", () => {
  test("agrees with mean value analysis where clients think and one event loop serves", () => {
    const costs = { ...idle, loop: 0.1, generator: 0.5 };
    let [queued, rate] = [0, 0];
    for (let clients = 1; clients <= one.connections; clients++) {
      const stay = costs.loop * (1 + queued);
      rate = clients / (costs.generator + stay);
      queued = rate * stay;
    }
    assertNear(simulatePostern(costs, one, length).per_second, 1000 * rate, 0.02);
  });

  test("signs on all cores, as fast as they are and no faster", () => {
    const costs = { ...idle, pool: 0.25 };
    const { per_second, p99_ms } = simulatePostern(costs, { ...one, connections: 16 }, length);
    assertNear(per_second, (1000 * one.cores) / costs.pool, 0.01);
    assert.ok(p99_ms >= costs.pool);
  });

  test("signs beside the event loop where there is a core to spare, else on it", () => {
    const costs = { ...idle, loop: 0.1, thread: 0.1 };
    const of = (workers: number) =>
      simulatePostern(costs, { ...one, workers, connections: 64 }, length).per_second;
    assertNear(of(3), (1000 * 3) / 0.1, 0.03);
    assertNear(of(one.cores), (1000 * one.cores) / 0.2, 0.03);
  });

  test("takes for each commit the rows in it and the disk", () => {
    const written = { row: 0.1, commit: 0.2, disk: [1], holds: true };
    const { per_second, jobs_a_commit } = simulatePostern({ ...idle, written }, one, length);
    assert.ok(jobs_a_commit > 1 && jobs_a_commit <= one.connections, `${jobs_a_commit} to a commit`);
    assertNear(per_second, (1000 * jobs_a_commit) / (jobs_a_commit * 0.1 + 0.2 + 1), 0.01);
  });

  test("lets one process at a time write on SQLite, and all at once on PostgreSQL", () => {
    const costs = { ...idle, written: { row: 0, commit: 0, disk: [1], holds: true } };
    const three: Arrangement = { ...one, workers: 3, connections: 3 };
    assertNear(simulatePostern(costs, three, length).per_second, 1000, 0.01);
    // While the log is written for one of them the other two come, and share the next.
    assertNear(simulatePostern(costs, { ...three, engine: "postgres" }, length).per_second, 1500, 0.01);
  });

  test("answers others while the disk is waited for, where the writer holds nothing meanwhile", () => {
    const written = { row: 0, commit: 0, disk: [1], holds: false };
    const three: Arrangement = { ...one, workers: 3, connections: 3 };
    assertNear(simulatePostern({ ...idle, written }, three, length).per_second, 3000, 0.01);
    // One connection waits for its own flush, whoever holds what.
    const alone = { ...one, connections: 1 };
    assertNear(simulatePostern({ ...idle, written }, alone, length).per_second, 1000, 0.01);
  });

  test("grows with the workers until the cores of the database are busy", () => {
    const costs = { ...idle, loop: 0.1, database: 0.2 };
    const rate = (workers: number) =>
      simulatePostern(costs, { ...one, engine: "postgres", workers, connections: 64 }, length).per_second;
    assertNear(rate(1), 10_000, 0.02);
    assertNear(rate(2), 20_000, 0.02);
    const [bound] = [(1000 * one.cores) / costs.database];
    assert.ok(rate(8) <= 1.001 * bound && rate(8) > 0.95 * bound);
  });

  test("is the same for the same seed", () => {
    const costs = { ...idle, loop: 0.1, pool: 0.2, generator: 0.01 };
    const short = { ...length, measured: 500 };
    assert.deepEqual(simulatePostern(costs, one, short), simulatePostern(costs, one, short));
    assert.notDeepEqual(
      simulatePostern(costs, one, short),
      simulatePostern(costs, one, { ...short, seed: seed + 1 }),
    );
  });
});

/** A run at client credentials: 1,000 answers for a second of the server, and 8,000 signatures a second. */
function runOf(server: string): Results {
  const load: Load = {
    answers: 1000,
    seconds: 1,
    per_second: 1000,
    p50_ms: 1,
    p99_ms: 2,
    background_per_second: 0,
    failures: 0,
    faults: {},
    statuses: {},
    cpu_seconds: { server: 1, PostgreSQL: 0.1 },
    own_cpu_seconds: 0.02,
    foreign_cpu_share: 0,
  };
  const measurements = [{ scenario: "client-credentials", load, memory: {}, faults: [] }];
  return {
    machine: { cpu: "cpu", cores: 2, memory_bytes: 1, system: "s", node: "n", folder_is_in_memory: false },
    options: {
      rounds: 1,
      warm_up_seconds: 1,
      measured_seconds: 1,
      connections: 16,
      rows: 0,
      tokens: 1,
      revocations: 1,
      users: 0,
    },
    servers: [{ id: server, name: server, version: "1" }],
    scenarios: [{ id: "client-credentials", name: "client credentials" }],
    rounds: [
      {
        limits: { RS256: 8000 },
        verified: {},
        generator: load,
        runs: [{ server, cold_start_seconds: 1, idle: {}, measurements }],
      },
    ],
  };
}

describe("the costs that are simulated", () => {
  const kind = { scenario: "client-credentials", pool: "RS256", writes: true } as const;
  const written = { row: 0.01, commit: 0.08, disk: [0.5], holds: false };
  const short = { ...length, measured: 4000 };

  test("are the server's processor time without the signature, and on SQLite without row and commit", () => {
    const over = unitCostsOf(runOf("postern-postgres"), "postgres", kind, written, short);
    assert.deepEqual(over, {
      pool: 0.25,
      generator: 0.02,
      database: 0.1,
      written: over?.written,
      loop: 0.75,
    });
    assert.equal(over?.written?.disk, written.disk);
    const inside = unitCostsOf(runOf("postern-sqlite"), "sqlite", kind, written, short);
    const commit = 0.75 - 0.01 - (inside?.loop ?? Number.NaN);
    assert.ok(commit > 0.08 / 16 && commit <= 0.08, `${commit} ms of a commit`);
    assert.equal(unitCostsOf(runOf("postern-sqlite"), "postgres", kind, written, short), undefined);
  });

  test("stand beside what was measured, for every number of cores", () => {
    const tables = coreTables(runOf("postern-sqlite"), written, [2, 4], 1);
    assert.match(
      tables,
      /^\| SQLite \| client credentials \| 1 \| 1,000, 2\.0 ms \| [\d,]+, [\d.]+ ms \| [+−]\d+ % \|$/m,
    );
    assert.match(tables, /^\| SQLite \| client credentials \| 4 \|/m);
    assert.throws(() => coreTables(runOf("fastify"), written, [2], 1), /nothing that is simulated/);
  });
});
