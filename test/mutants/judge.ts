/** Whether the fast tests of a tree catch a mutant. */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { batchesOf, entryOf } from "../support/batches.ts";
import { roomOf } from "./draw.ts";
import { type Mutant, planted } from "./operators.ts";
import type { Reach } from "./reach.ts";
import { runTests, type Tree } from "./tree.ts";

export interface Judgement {
  readonly caught: boolean;
  /** `failed` or `timeout` with the files; `passed` where all that reach it ran, else `budget` or `unreached`. */
  readonly how: string;
  readonly seconds: number;
}

/**
 * Files in the order in which they are asked: those of the mutant's room with at most half of the budget in
 * seconds, then the others; in each the cheapest and most specific first.
 */
export function asked(mutant: Mutant, reaching: readonly Reach[], budget: number): Reach[] {
  const isNear = ({ file }: Reach) => roomOf(file) === roomOf(mutant.path);
  const cost = ({ seconds, reached }: Reach) => seconds * Math.log2(2 + reached.length);
  const cheapest = reaching.toSorted((a, b) => cost(a) - cost(b));
  const chosen: Reach[] = [];
  let spent = 0;
  const choose = (files: readonly Reach[], most: number) => {
    for (const each of files)
      if (chosen.length === 0 || spent + each.seconds <= most) {
        chosen.push(each);
        spent += each.seconds;
      }
  };
  choose(cheapest.filter(isNear), budget / 2);
  choose(
    cheapest.filter((each) => !isNear(each)),
    budget,
  );
  return chosen;
}

/** Plants the mutant in the copy, asks the tests, and takes it out again. */
export async function judge(
  tree: Tree,
  { mutant, reach, budget, copy }: { mutant: Mutant; reach: readonly Reach[]; budget: number; copy: string },
): Promise<Judgement> {
  const started = performance.now();
  const done = (caught: boolean, how: string) => ({
    caught,
    how,
    seconds: (performance.now() - started) / 1000,
  });
  const at = tree.candidates.findIndex(({ id }) => id === mutant.id);
  const own = tree.candidates[at];
  const reaching = reach.filter(({ passed, reached }) => passed && reached.includes(at));
  if (!own || reaching.length === 0) return done(false, "unreached");
  const chosen = asked(own, reaching, budget);
  const path = join(copy, "src", own.path);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, planted(text, own) ?? text);
  try {
    const place = (file: string) => chosen.findIndex((each) => each.file === file);
    const batches = batchesOf(chosen.map(({ file }) => file))
      .map((batch) => batch.toSorted((a, b) => place(a) - place(b)))
      .toSorted(([a = ""], [b = ""]) => place(a) - place(b));
    for (const batch of batches) {
      const expected = batch.reduce((sum, file) => sum + (chosen[place(file)]?.seconds ?? 0), 0);
      const folder = join(copy, "test-batches");
      const entry = entryOf(batch, { tests: join(copy, "test"), folder });
      const verdict = await runTests(tree, { copy, entry, limit: 20 + 3 * expected });
      rmSync(folder, { recursive: true, force: true });
      if (verdict !== "passed") return done(true, `${verdict}: ${batch.join(" ")}`);
    }
    return done(false, chosen.length < reaching.length ? "budget" : "passed");
  } finally {
    writeFileSync(path, text);
  }
}
