import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { floorTable, idleTable } from "../../tools/bench/floor_tables.ts";
import { idleShare } from "../../tools/bench/loop_clock.ts";
import { roomOf } from "../../tools/bench/profile.ts";
import { floorServer, type Load, type Results } from "../../tools/bench/results.ts";

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
  cpu_seconds: { server: 0.1 },
  own_cpu_seconds: 0.1,
  foreign_cpu_share: 0,
};

type Loads = Readonly<Record<string, Readonly<Record<string, Partial<Load>>>>>;

/** Returns the results of rounds with these servers and scenarios. */
function resultsOf(rounds: readonly Loads[]): Results {
  const scenarios = ["jwks", "probe"];
  const ids = [...new Set(rounds.flatMap((round) => Object.keys(round)))];
  const machine = {
    cpu: "cpu",
    cores: 2,
    memory_bytes: 1,
    system: "s",
    node: "n",
    folder_is_in_memory: false,
  };
  const times = { warm_up_seconds: 1, measured_seconds: 1, connections: 16 };
  return {
    machine,
    options: { rounds: rounds.length, ...times, rows: 0, tokens: 1, revocations: 1, users: 0 },
    servers: ids.map((id) => ({ id, name: id, version: "1" })),
    scenarios: scenarios.map((id) => ({ id, name: id })),
    rounds: rounds.map((round) => ({
      limits: {},
      verified: {},
      generator: load,
      runs: Object.entries(round).map(([server, loads]) => ({
        server,
        cold_start_seconds: 1,
        idle: {},
        measurements: Object.entries(loads).map(([scenario, input]) => ({
          scenario,
          load: { ...load, ...input },
          memory: {},
          errors: [],
        })),
      })),
    })),
  };
}

describe("the table relative to a minimal server", () => {
  test("reports processor time, including the database's, as a ratio to the minimal server in the same round", () => {
    const least = { jwks: {}, probe: {} };
    const table = floorTable(
      resultsOf([
        { ours: { jwks: { cpu_seconds: { server: 0.2, PostgreSQL: 0.1 } } }, [floorServer]: least },
        { ours: { jwks: { answers: 50 } }, [floorServer]: least },
        { ours: { jwks: {} }, [floorServer]: { jwks: { answers: 400 } } },
      ]),
    );
    assert.deepEqual(table.slice(2), [
      "| Scenario | ours |",
      "| --- | --- |",
      "| jwks | 3.00 (2.00 to 4.00) |",
    ]);
  });

  test("reports no ratio if a background load used the processor, or without the minimal server", () => {
    const probed = { probe: { background_per_second: 9 } };
    assert.deepEqual(floorTable(resultsOf([{ ours: probed, [floorServer]: probed }])), []);
    assert.deepEqual(floorTable(resultsOf([{ ours: { jwks: {} } }])), []);
  });

  test("reports event-loop delays only if a server measured them", () => {
    const results = resultsOf([{ ours: { jwks: { idle_share: 0.25 } }, theirs: { jwks: {} } }]);
    assert.deepEqual(idleTable(results).slice(2), [
      "| Scenario | ours |",
      "| --- | --- |",
      "| jwks | 0.25 (0.25 to 0.25) |",
    ]);
    assert.deepEqual(idleTable(resultsOf([{ ours: { jwks: {} } }])), []);
  });
});

test("the idle share of an event loop is computed between two readings", () => {
  const clock = (idle_ms: number, active_ms: number) => ({ idle_ms, active_ms, cpu_seconds: 0 });
  assert.equal(idleShare(clock(1000, 50), clock(1100, 350)), 0.25);
});

test("a processor profile is grouped by source folder, package and runtime module", () => {
  const room = (url: string, functionName = "f") => roomOf({ url, functionName, lineNumber: 0 });
  assert.equal(room("file:///home/a/src/http/oauth/token.ts"), "src/http/oauth");
  assert.equal(room("file:///home/a/src/storage/sqlite/deep/file.ts"), "src/storage/sqlite");
  assert.equal(room("file:///home/a/node_modules/fastify/lib/reply.js"), "fastify");
  assert.equal(room("file:///home/a/node_modules/@fastify/cookie/plugin.js"), "@fastify/cookie");
  assert.equal(room("node:internal/http"), "node:internal/http");
  assert.equal(room("node:_http_outgoing"), "node:_http_outgoing");
  assert.equal(room("", "(garbage collector)"), "(garbage collector)");
  assert.equal(room("", "writev"), "native writev");
});
