import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { compareWithBefore, comparisonTable, readComparison, rightLoad } from "../../tools/bench/before.ts";
import type { Contender } from "../../tools/bench/contender.ts";
import { chosen, readOptions } from "../../tools/bench/options.ts";
import {
  type BenchOptions,
  costRatioOf,
  errorsOf,
  floorServer,
  joined,
  type Load,
  loadsOf,
  type Results,
  ratioOf,
  type ServerRun,
  shareOf,
} from "../../tools/bench/results.ts";
import { runBenchmark } from "../../tools/bench/run.ts";
import type { Scenario } from "../../tools/bench/scenario.ts";
import {
  clientCredentials,
  introspection,
  revocation,
} from "../../tools/bench/scenarios/client_scenarios.ts";
import { consoleListUsers, listTokens, listUsers } from "../../tools/bench/scenarios/list_scenarios.ts";
import { signedBy } from "../../tools/bench/scenarios/signed_by.ts";
import { codeFlow, refresh, userinfo } from "../../tools/bench/scenarios/user_scenarios.ts";
import { floor } from "../../tools/bench/servers/floor.ts";
import { oidcProvider } from "../../tools/bench/servers/oidc_provider.ts";
import { postern, posternOfFew } from "../../tools/bench/servers/postern.ts";
import { median, percentile } from "../../tools/bench/statistics.ts";
import { resultTables } from "../../tools/bench/tables.ts";
import { isMet, targetsOf } from "../../tools/bench/targets.ts";
import { column } from "../support/lists.ts";
import { servedProgram } from "../support/served_program.ts";

/** A run of a fifth of a second per scenario. */
async function shortRun(
  contenders: readonly Contender[],
  scenarios: readonly Scenario[],
  sizes: Pick<BenchOptions, "rows" | "tokens" | "users">,
): Promise<Results> {
  const folder = await mkdtemp(join(tmpdir(), "postern-bench-test-"));
  const times = { rounds: 1, warm_up_seconds: 0.1, measured_seconds: 0.2 };
  try {
    return await runBenchmark({
      contenders,
      scenarios,
      options: { ...times, ...sizes, connections: 2, revocations: 40 },
      limit_seconds: 0.2,
      program: servedProgram,
      folder,
      makeFolder: async (name) => {
        const made = join(folder, name);
        await mkdir(made);
        return made;
      },
      progress: () => {},
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

describe("a benchmark run", () => {
  let results: Results;

  // One run for all tests, because measuring the machine's limits takes longest.
  before(async () => {
    results = await shortRun(
      [await postern("sqlite", 1), await oidcProvider("memory"), floor(), await posternOfFew("sqlite")],
      [
        introspection,
        revocation,
        userinfo,
        refresh,
        signedBy("ES256", codeFlow),
        signedBy("EdDSA", clientCredentials),
        ...[listUsers, listTokens, consoleListUsers],
      ],
      { rows: 1200, tokens: 20, users: 1200 },
    );
  });

  test("checks that every response and page is correct and complete", () =>
    assert.deepEqual(errorsOf(results), []));

  test("measures Postern and the peer server, and compares their rates", () => {
    for (const scenario of ["introspection", "refresh", "code-flow-es256", "client-credentials-eddsa"])
      assert.ok((ratioOf(results, "postern-sqlite", "oidc-memory", scenario)?.median ?? 0) > 0, scenario);
    assert.match(resultTables(results), /^\| code flow, ES256 \| oidc-provider, memory \|/m);
  });

  test("reports each scenario relative to a minimal server, and the delays of the event loops", () => {
    // Processor time is measured in hundredths of a second, so that of a short run may be zero.
    for (const scenario of ["introspection", "userinfo", "refresh", "code-flow-es256", "revocation"])
      assert.ok(
        (costRatioOf(results, "postern-sqlite", floorServer, scenario, "p50")?.median ?? 0) > 0,
        scenario,
      );
    for (const server of ["postern-sqlite", "oidc-memory", floorServer])
      for (const load of loadsOf(results, server, "introspection"))
        assert.ok(load?.idle_share !== undefined && load.idle_share >= 0 && load.idle_share <= 1, server);
  });

  test("compares each rate with the signing rate of the machine, and reports its verification rate", () => {
    for (const scenario of ["refresh", "code-flow-es256", "client-credentials-eddsa"])
      assert.ok((shareOf(results, "postern-sqlite", scenario)?.median ?? 0) > 0, scenario);
    assert.match(resultTables(results), /^- Limit: [\d,]+ ES256 signatures; [\d,]+ verifications a second/m);
  });

  test("compares lists from many records with lists from few", () => {
    for (const scenario of ["list-users", "list-tokens", "console-list-users"]) {
      const cost = costRatioOf(results, "postern-sqlite", "postern-sqlite-few", scenario, "p50");
      assert.ok((cost?.median ?? 0) > 0, scenario);
    }
    assert.match(
      resultTables(results),
      /^\| list of tokens, SQLite: 1,200 records relative to 1,000, by p50 \|/m,
    );
  });
});

const load: Load = {
  answers: 100,
  seconds: 1,
  per_second: 100,
  p50_ms: 2,
  p99_ms: 6,
  background_per_second: 0,
  failures: 0,
  errors: {},
  statuses: { "200": 100 },
  cpu_seconds: { server: 0.5 },
  own_cpu_seconds: 0.1,
  foreign_cpu_share: 0,
};

/**
 * Returns the results of two servers in the scenario `client-credentials`. Each round has these responses per
 * second of both, and the number of signatures that all cores can make per second.
 */
function resultsOf(
  rounds: readonly { ours: Partial<Load>; theirs: Partial<Load>; RS256: number }[],
): Results {
  const memory = { server: { resident_bytes: 150e6, anonymous_bytes: 90e6 } };
  const runOf = (server: string, overrides: Partial<Load>): ServerRun => ({
    server,
    cold_start_seconds: 0.2,
    idle: { server: { resident_bytes: 100e6, anonymous_bytes: 60e6 } },
    measurements: [{ scenario: "client-credentials", load: { ...load, ...overrides }, memory, errors: [] }],
  });
  return {
    machine: {
      cpu: "cpu",
      cores: 2,
      memory_bytes: 2 ** 30,
      system: "s",
      node: "n",
      folder_is_in_memory: false,
    },
    options: {
      rounds: rounds.length,
      warm_up_seconds: 1,
      measured_seconds: 1,
      connections: 16,
      rows: 0,
      tokens: 1,
      revocations: 1,
      users: 0,
    },
    servers: [
      { id: "postern-sqlite", name: "Postern, SQLite", version: "1" },
      { id: "oidc-memory", name: "oidc-provider, memory", version: "2" },
    ],
    scenarios: [
      { id: "client-credentials", name: "client credentials", bound: { limit: "RS256", each: 1 } },
      { id: "discovery", name: "discovery", bound: { limit: "constant", each: 1 } },
    ],
    rounds: rounds.map(({ ours, theirs, RS256 }) => ({
      limits: { RS256 },
      verified: {},
      generator: load,
      runs: [runOf("postern-sqlite", ours), runOf("oidc-memory", theirs)],
    })),
  };
}

/** Returns the results of servers in the scenario `list-users`. */
function listsOf(loads: Readonly<Record<string, Partial<Load>>>): Results {
  const base = resultsOf([]);
  const servers = Object.keys(loads).map((id) => ({ id, name: id, version: "1" }));
  const runs = Object.entries(loads).map(
    ([server, overrides]): ServerRun => ({
      server,
      cold_start_seconds: 0.2,
      idle: {},
      measurements: [{ scenario: "list-users", load: { ...load, ...overrides }, memory: {}, errors: [] }],
    }),
  );
  return {
    ...base,
    options: { ...base.options, rows: 1_000_000 },
    servers,
    scenarios: [{ id: "list-users", name: "list of users" }],
    rounds: [{ limits: {}, verified: {}, generator: load, runs }],
  };
}

describe("a benchmark against an earlier checkout", () => {
  test("measures the earlier and the current program in turn, and reports the change", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-before-test-"));
    const times = { rounds: 1, warm_up_seconds: 0.1, measured_seconds: 0.2 };
    const sizes = { rows: 0, users: 0, tokens: 20, revocations: 20, connections: 2 };
    const program = servedProgram;
    try {
      const found = await compareWithBefore({
        ...{ before: program, now: program, scenarios: [introspection], pairs: 1, folder },
        options: { ...times, ...sizes },
        progress: () => {},
      });
      const [[name, [round, ...rest]] = ["", []]] = found;
      assert.equal(name, introspection.name);
      assert.equal(rest.length, 0);
      assert.ok(round !== undefined && round.rate > 0 && Number.isFinite(round.rate));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test("reports an error instead of a figure if a response was wrong or missing", () => {
    const right = { scenario: introspection.id, load, memory: {}, errors: [] };
    assert.equal(rightLoad(introspection, right), right.load);
    assert.throws(() => rightLoad(introspection, { ...right, errors: ["no token"] }), /no token/);
    const refused = { ...load, errors: { "status 500": 3 } };
    assert.throws(() => rightLoad(introspection, { ...right, load: refused }), /status 500/);
    assert.throws(() => rightLoad(introspection, undefined), /does not support this scenario/);
  });

  test("requires exactly one directory, and refuses unknown options", () => {
    const requested = readComparison(["../earlier", "--rounds", "5", "--only", "refresh, code-flow"]);
    assert.deepEqual(column(requested?.scenarios ?? [], "id"), ["refresh", "code-flow"]);
    assert.deepEqual([requested?.rounds, requested?.pairs], [5, 4]);
    assert.equal(readComparison(["--help"]), undefined);
    for (const wrong of [[], ["a", "b"], ["a", "--rounds", "0"], ["a", "--only", "refresh-es256"]])
      assert.throws(() => readComparison(wrong));
  });

  test("prints the median, lowest and highest round in a table", () => {
    const round = (rate: number, processor: number, event_loop: number) => ({ rate, processor, event_loop });
    const table = comparisonTable(
      new Map([["refresh rotation", [round(0.9, 1.1, 1.3), round(1.2, 1, 0.8), round(1, 1.05, 1)]]]),
    );
    assert.match(
      table,
      /\| refresh rotation \| 1\.00 \(0\.90 to 1\.20\) \| 1\.05 \(1\.00 to 1\.10\) \| 1\.00 \(0\.80 to 1\.30\) \|/,
    );
  });
});

describe("the results of a benchmark", () => {
  const results = resultsOf([
    { ours: { per_second: 150 }, theirs: { per_second: 100 }, RS256: 200 },
    { ours: { per_second: 60 }, theirs: { per_second: 50 }, RS256: 100 },
    { ours: { per_second: 170 }, theirs: { per_second: 100 }, RS256: 200 },
  ]);

  test("take ratios within each round, and report the median, the lowest and the highest", () => {
    assert.deepEqual(ratioOf(results, "postern-sqlite", "oidc-memory", "client-credentials"), {
      low: 1.2,
      median: 1.5,
      high: 1.7,
    });
    assert.deepEqual(shareOf(results, "postern-sqlite", "client-credentials"), {
      low: 0.6,
      median: 0.75,
      high: 0.85,
    });
    assert.equal(shareOf(results, "postern-sqlite", "discovery"), undefined);
  });

  test("report which targets are met, missed and not measured", () => {
    const found = new Map(targetsOf(results).map((target) => [target.line, isMet(target)]));
    assert.equal(found.get("client credentials, SQLite: share of the RS256 limit"), true);
    assert.equal(found.get("client credentials, SQLite: relative to oidc-provider in memory"), true);
    assert.equal(found.get("discovery, SQLite: share of the rate of Fastify with a constant"), undefined);
    assert.equal(found.get("memory loaded, SQLite"), true);
    assert.equal(found.get("p99 : p50 at any scenario, SQLite (worst: client credentials)"), true);

    const slow = resultsOf([{ ours: { per_second: 60, p99_ms: 9 }, theirs: {}, RS256: 100 }]);
    const missed = targetsOf(slow).filter((target) => isMet(target) === false);
    assert.deepEqual(column(missed, "line"), [
      "client credentials, SQLite: share of the RS256 limit",
      "client credentials, SQLite: relative to oidc-provider in memory",
      "p99 : p50 at any scenario, SQLite (worst: client credentials)",
    ]);
    assert.match(resultTables(slow), /\| at least 0\.66 \| 0\.60 \| \*\*not met\*\* \|/);
  });

  test("compare one algorithm with another on the same server, round by round", () => {
    const [round] = results.rounds;
    const [ours] = round?.runs ?? [];
    const [measurement] = ours?.measurements ?? [];
    assert.ok(round && ours && measurement);
    const faster = {
      ...measurement,
      scenario: "client-credentials-es256",
      load: { ...measurement.load, per_second: 300 },
    };
    const both = {
      ...results,
      rounds: [{ ...round, runs: [{ ...ours, measurements: [measurement, faster] }] }],
    };
    const target = targetsOf(both).find(({ line }) => line.endsWith("SQLite: relative to RS256"));
    assert.equal(target?.measured, 2);
    assert.equal(target && isMet(target), true);
  });

  test("compare lists from many and from few records by median latency and by total processor time", () => {
    const few = { p50_ms: 2, answers: 100, cpu_seconds: { server: 0.1, PostgreSQL: 0.1 } };
    const targetsAt = (many: Partial<Load>) => {
      const found = listsOf({ "postern-postgres": many, "postern-postgres-few": few });
      const lists = targetsOf(found).filter(({ line }) => line.startsWith("list of users"));
      return lists.filter((target) => isMet(target) !== undefined);
    };
    const asCheap = targetsAt({ p50_ms: 6, answers: 50, cpu_seconds: { server: 0.1, PostgreSQL: 0.15 } });
    assert.deepEqual(
      asCheap.map(({ line, measured }) => [line, Math.round((measured ?? 0) * 100) / 100]),
      [
        ["list of users, PostgreSQL: 1,000,000 records relative to 1,000, by p50", 3],
        ["list of users, PostgreSQL: 1,000,000 records relative to 1,000, by processor time", 2.5],
      ],
    );
    assert.deepEqual(asCheap.map(isMet), [true, true]);
    // Fast responses that cause much database work are expensive nevertheless.
    const dearer = targetsAt({ p50_ms: 2, answers: 100, cpu_seconds: { server: 0.1, PostgreSQL: 0.6 } });
    assert.deepEqual(dearer.map(isMet), [true, false]);
  });

  test("of two runs are combined only if both had the same settings", () => {
    const [first] = results.rounds;
    const further = resultsOf([{ ours: { per_second: 900 }, theirs: { per_second: 100 }, RS256: 200 }]);
    const both = joined(results, further);
    assert.deepEqual([both.rounds.length, both.options.rounds, both.rounds[0]], [4, 4, first]);
    assert.equal(ratioOf(both, "postern-sqlite", "oidc-memory", "client-credentials")?.high, 9);
    const lists = { ...listsOf({ "postern-postgres": {} }), options: further.options };
    const apart = joined(further, lists);
    assert.deepEqual(
      [apart.options.rounds, apart.servers.map(({ id }) => id)],
      [1, ["postern-sqlite", "oidc-memory", "postern-postgres"]],
    );
    const another = { ...further, options: { ...further.options, connections: 1 } };
    assert.throws(() => joined(results, another), /other settings/);
  });

  test("report the processor time of a response relative to the peer server's", () => {
    const cheaper = { cpu_seconds: { server: 0.25 } };
    const tables = resultTables(resultsOf([{ ours: cheaper, theirs: {}, RS256: 100 }]));
    assert.match(tables, /^\| client credentials \| 2\.00 \(2\.00 to 2\.00\) \|$/m);
  });

  test("name every wrong response", () => {
    const wrong = resultsOf([{ ours: { errors: { "status 500": 3 } }, theirs: { answers: 0 }, RS256: 100 }]);
    assert.deepEqual(errorsOf(wrong), [
      "round 1, postern-sqlite, client-credentials: 3 × status 500",
      "round 1, oidc-memory, client-credentials: no answer was right",
    ]);
    assert.match(resultTables(wrong), /the figures do not count/);
  });
});

describe("the options of the benchmark", () => {
  test("fill the databases only for scenarios that look something up", () => {
    assert.equal(readOptions([]).options.rows, 1_000_000);
    assert.equal(readOptions(["--quick"]).options.rows, 0);
    assert.equal(readOptions(["--only", "refresh"]).options.rows, 0);
    assert.equal(readOptions(["--only", "refresh, introspection"]).options.rows, 1_000_000);
    assert.equal(readOptions(["--rows", "500"]).options.tokens, 500);
    assert.equal(readOptions(["--only", "list-tokens"]).options.rows, 1_000_000);
  });

  test("create users in the database only for scenarios that list them", () => {
    assert.equal(readOptions([]).options.users, 1_000_000);
    assert.equal(readOptions(["--quick"]).options.users, 0);
    assert.equal(readOptions(["--only", "introspection"]).options.users, 0);
    assert.equal(readOptions(["--only", "list-users", "--rows", "5000"]).options.users, 5000);
  });

  test("refuse unknown options", () => {
    assert.throws(() => readOptions(["--rounds", "0"]), /--rounds/);
    assert.throws(() => readOptions(["--seconds", "x"]), /--seconds/);
    assert.throws(() => readOptions(["--fast"]), /fast/);
    assert.throws(() => chosen("only", [{ id: "a" }], ["b"]), /no b; there are a/);
    assert.deepEqual(chosen("only", [{ id: "a" }, { id: "b" }], ["b"]), [{ id: "b" }]);
  });
});

test("medians and percentiles are computed from the sorted values", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([4, 1, 2, 9]), 3);
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  assert.equal(percentile(hundred, 0.5), 50);
  assert.equal(percentile(hundred, 0.99), 99);
});
