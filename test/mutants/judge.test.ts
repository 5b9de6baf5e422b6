import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Judgement, judge, judgesOf } from "../../tools/mutants/judge.ts";
import type { Reach } from "../../tools/mutants/reach.ts";
import { openResults } from "../../tools/mutants/results.ts";
import { temporaryFolder } from "../support/temp.ts";

const mutant = {
  id: "a",
  path: "oauth/a.ts",
  operator: "removed call",
  start: 0,
  end: 1,
  replacement: "",
  line: 1,
};

/** Returns the entry of a test file that reaches `size` candidates. */
const reach = (file: string, size: number): Reach => ({
  file,
  passed: true,
  reached: Array.from({ length: size }, (_, at) => at),
  loaded: [],
});

test("a mutant's tests come half from its folder and half from anywhere, the most specific ones first", () => {
  const files = [
    reach("http/a.test.ts", 1),
    reach("oauth/wide.test.ts", 9),
    reach("oauth/b.test.ts", 5),
    reach("cli/a.test.ts", 2),
    reach("oauth/a.test.ts", 5),
  ];
  const expected = ["oauth/a.test.ts", "oauth/b.test.ts", "http/a.test.ts", "cli/a.test.ts"];
  assert.deepEqual(judgesOf(mutant, files, 4), expected);
  assert.deepEqual(judgesOf(mutant, files.toReversed(), 4), expected);
  assert.equal(judgesOf(mutant, files, 9).length, files.length);
});

describe("testing a mutant", () => {
  const judges = ["oauth/a.test.ts", "oauth/b.test.ts", "oauth/c.test.ts", "http/a.test.ts"];

  /** Judges with files that fail if the mutant is planted, and files that always fail. */
  async function judged(
    { failing, broken = [] }: { failing: string[]; broken?: string[] },
    known?: Judgement,
  ) {
    const runs: string[] = [];
    const judgement = await judge(mutant, {
      judges,
      reaching: judges.length,
      known,
      run: async (files, isPlanted) => {
        runs.push(`${isPlanted ? "planted" : "clean"} ${files.join(" ")}`);
        const failed = files.findIndex(
          (file) => broken.includes(file) || (isPlanted && failing.includes(file)),
        );
        return failed < 0 ? undefined : failed;
      },
    });
    return { judgement, runs };
  }

  test("a test file that fails only with the mutant catches it, and no further file runs", async () => {
    const { judgement, runs } = await judged({ failing: ["oauth/b.test.ts"] });
    assert.equal(judgement.caughtBy, "oauth/b.test.ts");
    assert.deepEqual(runs, [
      "planted oauth/a.test.ts oauth/b.test.ts oauth/c.test.ts",
      "clean oauth/a.test.ts oauth/b.test.ts",
    ]);
  });

  test("a test file that fails even without the mutant does not count, and the next one runs", async () => {
    const { judgement } = await judged({ failing: ["http/a.test.ts"], broken: ["oauth/b.test.ts"] });
    assert.equal(judgement.caughtBy, "http/a.test.ts");
    assert.deepEqual(judgement.requested, ["oauth/a.test.ts", "oauth/b.test.ts", "oauth/c.test.ts"]);
  });

  test("a mutant is missed if every test file passes", async () => {
    const { judgement } = await judged({ failing: [] });
    assert.equal(judgement.caughtBy, undefined);
    assert.deepEqual(judgement.requested, judges);
  });

  test("a later run continues with the test files that an earlier run did not reach", async () => {
    const known = { id: "a", requested: judges.slice(0, 2), reaching: 4 };
    const { judgement, runs } = await judged({ failing: [] }, known);
    assert.deepEqual(runs, ["planted oauth/c.test.ts", "planted http/a.test.ts"]);
    assert.deepEqual(judgement.requested, judges);
  });
});

describe("the results file of mutation tests", () => {
  const open = (path: string) => openResults<{ name: string; value: number }>(path, ({ name }) => name);

  test("a run interrupted while writing a line continues after the last complete line", () => {
    const path = join(temporaryFolder(), "results.jsonl");
    open(path).add({ name: "a", value: 1 });
    open(path).add({ name: "b", value: 2 });
    writeFileSync(path, `${readFileSync(path, "utf8")}{"name":"c","va`);
    const later = open(path);
    assert.deepEqual([...later.known.keys()], ["a", "b"]);
    later.add({ name: "c", value: 3 });
    later.add({ name: "a", value: 4 });
    assert.deepEqual(
      [...open(path).known.values()].map(({ value }) => value),
      [4, 2, 3],
    );
  });
});
