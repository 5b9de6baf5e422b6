/** Tests a soak run of a few seconds, and the judgment of its trends. */
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { readOptions } from "../../tools/bench/options.ts";
import { postern } from "../../tools/bench/servers/postern.ts";
import { type Minute, soak, soakLength } from "../../tools/bench/soak.ts";
import { judgeSoak, soakTables } from "../../tools/bench/soak_tables.ts";
import { isFlat, trendOf } from "../../tools/bench/trend.ts";

const growing = { worse: "more", tolerated: 0.05 } as const;

describe("the trend in a soak test", () => {
  test("is the slope of the least-squares line, with its standard error", () => {
    assert.deepEqual(trendOf([2, 4, 6, 8]), { mean: 5, growth: 6, noise: 0 });
    // The line 1.96 + 0.56 x has the errors 0.04, -0.52, 0.92 and -0.44. The sum of their squares is 1.312,
    // with two degrees of freedom.
    const { growth, noise } = trendOf([2, 2, 4, 3.2]);
    assert.ok(Math.abs(growth - 3 * 0.56) < 1e-9, String(growth));
    assert.ok(Math.abs(noise - 3 * Math.sqrt(1.312 / 2 / 5)) < 1e-9, String(noise));
    assert.throws(() => trendOf([1, 2]), /three/);
  });

  test("is flat if the change is within its noise or the tolerance", () => {
    assert.equal(isFlat([100, 101, 102, 103], growing), true);
    assert.equal(isFlat([100, 110, 120, 130], growing), false);
    assert.equal(isFlat([100, 140, 90, 130], growing), true);
    assert.equal(isFlat([130, 120, 110, 100], growing), true);
    assert.equal(isFlat([130, 120, 110, 100], { ...growing, worse: "less" }), false);
  });
});

const minute: Minute = {
  per_second: 1000,
  p99_ms: { "code flow": 8, introspection: 2 },
  memory_bytes: 150e6,
  database_bytes: 40e6,
  kept_bytes: 0,
  log_bytes: 4e6,
  rows: { oauth_tokens: 9000, oauth_auth_codes: 40, sessions: 100, audit_events: 200 },
  errors: [],
};

describe("a soak test", () => {
  test("judges trends by the second half of its measurements", () => {
    const grown = (index: number) => ({ ...minute, memory_bytes: 100e6 + 10e6 * index });
    const namesOf = (minutes: readonly Minute[], window_seconds = 100) =>
      judgeSoak(minutes, { windows: minutes.length, window_seconds, token_ttl: 120 }).flatMap(
        ({ name, flat }) => (flat ? [] : [name]),
      );
    const settled = Array.from({ length: 12 }, (_, index) => grown(Math.min(5, index)));
    assert.deepEqual(namesOf(settled), []);
    assert.deepEqual(namesOf(Array.from({ length: 12 }, (_, index) => grown(index))), ["memory"]);
    const slower = Array.from({ length: 12 }, (_, index) => {
      const per_second = 1000 - 40 * index;
      const rows = { ...minute.rows, oauth_tokens: 9 * per_second, oauth_auth_codes: per_second / 25 };
      return { ...minute, per_second, rows };
    });
    assert.deepEqual(namesOf(slower), ["answers a second"]);
    const filling = Array.from({ length: 12 }, (_, index) => ({
      ...minute,
      database_bytes: 1e6 * (index + 1),
    }));
    assert.deepEqual(namesOf(filling), ["database without sessions and events"]);
    const keeping = filling.map((each) => ({ ...each, kept_bytes: each.database_bytes - 1e6 }));
    assert.deepEqual(namesOf(keeping), []);
    // Nothing is reported before as many rows are removed as added.
    assert.deepEqual(namesOf(filling, 50), []);
  });

  test("is divided into one window a minute, or twenty windows if it is short", () => {
    assert.deepEqual(soakLength(30), { windows: 30, window_seconds: 60, token_ttl: 120 });
    assert.deepEqual(soakLength(2), { windows: 20, window_seconds: 6, token_ttl: 30 });
    assert.equal(readOptions(["--soak", "90s"]).soak, 1.5);
    assert.throws(() => readOptions(["--soak", "long"]), /--soak/);
  });

  test("exercises the whole server in each window, and verifies every response", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-soak-test-"));
    const { options } = readOptions(["--quick"]);
    // Long lifetimes, so that the result does not depend on the machine's speed.
    const length = { windows: 1, window_seconds: 1, token_ttl: 3600 };
    try {
      const contender = await postern("sqlite", 1);
      const makeFolder = async (name: string) => {
        const made = join(folder, name);
        await mkdir(made);
        return made;
      };
      const run = { contenders: [contender], scenarios: [], options, folder, makeFolder, progress: () => {} };
      const found = await soak(run, contender, length);
      assert.deepEqual(
        found.flatMap(({ errors }) => errors),
        [],
      );
      const [first] = found;
      assert.ok(first && first.rows.oauth_tokens > 0 && first.rows.oauth_auth_codes > 0);
      assert.ok(
        first.memory_bytes > 0 &&
          first.database_bytes > 0 &&
          first.kept_bytes > 0 &&
          first.log_bytes !== null,
      );
      const tables = soakTables(Array(6).fill(first), length, "Postern");
      assert.match(tables, /^\| window \| answers a second \| p99 ms: client credentials \|/m);
      assert.match(tables, /^\| 6 \| [\d,]+ \|/m);
      assert.match(
        tables,
        /^\| memory \| -?[\d.]+ % \| [\d.]+ % \| 5\.0 % \| (?:flat|\*\*not flat\*\*) \|$/m,
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
