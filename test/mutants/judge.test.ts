import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../support/temp.ts";
import { type Judgement, judge, judgesOf } from "./judge.ts";
import type { Reach } from "./reach.ts";
import { openResults } from "./results.ts";
import type { Verdict } from "./tree.ts";

const mutant = {
  id: "a",
  path: "oauth/a.ts",
  operator: "removed call",
  start: 0,
  end: 1,
  replacement: "",
  line: 1,
};

/** A test file that reaches `size` candidates. */
const reach = (file: string, size: number, seconds = 1): Reach => ({
  file,
  seconds,
  passed: true,
  reached: Array.from({ length: size }, (_, at) => at),
});

const files = [
  reach("http/a.test.ts", 1),
  reach("oauth/wide.test.ts", 9),
  reach("oauth/b.test.ts", 5),
  reach("cli/a.test.ts", 2),
  reach("oauth/a.test.ts", 5),
];

describe("the judges of a mutant", () => {
  const names = (count: number, among = files) => judgesOf(mutant, among, count).map(({ file }) => file);

  test("are half of its room and then of any, those first that reach least else", () => {
    assert.deepEqual(names(4), ["oauth/a.test.ts", "oauth/b.test.ts", "http/a.test.ts", "cli/a.test.ts"]);
    assert.equal(names(9).length, files.length);
  });

  test("do not depend on measured time or on the order in which files were measured", () => {
    const slower = files.toReversed().map((each, at) => ({ ...each, seconds: 100 * at }));
    assert.deepEqual(names(4, slower), names(4));
  });
});

describe("a judgement", () => {
  /** What the files say, with the mutant and without it; those not named pass. */
  async function judged(says: Record<string, [planted: Verdict, clean: Verdict]>, known?: Judgement) {
    const runs: string[] = [];
    const judgement = await judge(mutant, {
      judges: files,
      reaching: files.length,
      known,
      run: async ({ file }, isPlanted) => {
        runs.push(`${file} ${isPlanted ? "planted" : "clean"}`);
        return says[file]?.[isPlanted ? 0 : 1] ?? "passed";
      },
    });
    return { judgement, runs };
  }

  for (const verdict of ["failed", "timeout"] as const)
    test(`${verdict}: a file catches the mutant if it passes without it, and no other is asked`, async () => {
      const { judgement, runs } = await judged({ "oauth/wide.test.ts": [verdict, "passed"] });
      assert.equal(judgement.caughtBy, "oauth/wide.test.ts");
      assert.deepEqual(runs, [
        "http/a.test.ts planted",
        "oauth/wide.test.ts planted",
        "oauth/wide.test.ts clean",
      ]);
    });

  test("a file that fails or hangs without the mutant too catches nothing, and the next is asked", async () => {
    const { judgement } = await judged({
      "http/a.test.ts": ["failed", "failed"],
      "oauth/wide.test.ts": ["timeout", "timeout"],
      "cli/a.test.ts": ["failed", "passed"],
    });
    assert.equal(judgement.caughtBy, "cli/a.test.ts");
  });

  test("a mutant that every file passes with is missed by all of them", async () => {
    const { judgement } = await judged({});
    assert.equal(judgement.caughtBy, undefined);
    assert.equal(judgement.asked.length, files.length);
  });

  test("goes on with the files that an earlier run has not asked", async () => {
    const known = { id: "a", asked: files.slice(0, 3).map(({ file }) => file), reaching: 5 };
    const { judgement, runs } = await judged({}, known);
    assert.deepEqual(runs, ["cli/a.test.ts planted", "oauth/a.test.ts planted"]);
    assert.equal(judgement.asked.length, files.length);
  });
});

describe("results", () => {
  const open = (path: string) => openResults<{ name: string; value: number }>(path, ({ name }) => name);

  test("a run that was stopped within a line goes on after the whole ones", () => {
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
